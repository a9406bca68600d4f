"""What is said at first and amended later, so that the amendment matters under the policies that come into question."""

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from mpcbench.generate.sampling.limits import Limits
from mpcbench.generate.sampling.setting import Setting
from mpcbench.generate.sampling.trial import Passing, Trial

_WRONG_DURATIONS = (15, 30, 45, 60, 75, 90)
_GUESTS = range(12)
_TRIES = 6


class Kind(StrEnum):
    """What is amended."""

    ADD = "add"
    REMOVE = "remove"
    DURATION = "duration"
    GUESTS = "guests"


@dataclass(frozen=True, slots=True)
class Amendment:
    """One change."""

    kind: Kind
    person: str = ""
    """Who is added or taken off."""

    number: int = 0
    """The duration or the number of guests that is said at first."""


def amend(
    kind: Kind, setting: Setting, trial: Trial, limits: Limits, passing: Passing, rng: Random
) -> tuple[Amendment, Passing]:
    """An amendment, and the policies under which it matters: that of a few under which most do."""
    problem = trial.request.problem
    match kind:
        case Kind.ADD:
            return Amendment(kind, person=rng.choice(problem.participants)), passing
        case Kind.DURATION:
            wrong = [minutes for minutes in _WRONG_DURATIONS if minutes != problem.duration]
            return Amendment(kind, number=rng.choice(wrong)), passing
        case Kind.REMOVE:
            people = [person.person_id for person in setting.world.people]
            others = [person for person in people if person not in problem.participants]
            options = [
                (Amendment(kind, person=person), trial.changed_by_person(passing, limits, person))
                for person in rng.sample(others, _TRIES)
            ]
        case Kind.GUESTS:
            assert problem.rooms is not None
            seats = len(problem.participants)
            options = [
                (Amendment(kind, number=count), trial.changed_by_seats(passing, limits, seats + count))
                for count in rng.sample([one for one in _GUESTS if seats + one != problem.rooms.seats], _TRIES)
            ]
    return max(options, key=lambda option: len(option[1]))

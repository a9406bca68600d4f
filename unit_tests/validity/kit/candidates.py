"""Single slips at one candidate while the answer is written down."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import islice

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.answers import shifted_year
from unit_tests.validity.kit.core import Mind, Plan, candidate_of, flawed
from unit_tests.validity.kit.tools import all_options, wanted

_QUARTER = timedelta(minutes=15)
_HALF_DAY = timedelta(hours=12)
_DAY = timedelta(days=1)
_WEEK = timedelta(days=7)

One = Callable[[Mind, Facts, Option], Option]


def _at_one(change: One) -> Plan:
    """One candidate by chance is written down wrongly."""

    def slip(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
        for place in mind.rng.sample(range(len(options)), len(options)):
            new = change(mind, facts, options[place])
            if new != options[place]:
                mind.note(candidate=place + 1, right=candidate_of(options[place]), given=candidate_of(new))
                return [*options[:place], new, *options[place + 1 :]]
        return options

    return Plan(options=slip)


def _moved(option: Option, by: timedelta) -> Option:
    return option._replace(start=option.start + by, end=option.end + by)


def _half_day(_: Mind, __: Facts, option: Option) -> Option:
    afternoon = option.start.hour >= 12 or option.start.hour < 7
    return _moved(option, -_HALF_DAY if afternoon else _HALF_DAY)


def _made_up(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """In place of the last candidate, the quarter of an hour after the one before it, possible or not."""
    if len(options) < 2:
        return options
    right = set(all_options(facts))
    new = _moved(options[-2], _QUARTER)
    while new in right:
        new = _moved(new, _QUARTER)
    mind.note(candidate=len(options), right=candidate_of(options[-1]), given=candidate_of(new))
    return [*options[:-1], new]


def _next_morning(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """In place of the last candidate, a plausible round time on the day after."""
    if not options:
        return options
    right, length = set(all_options(facts)), options[-1].end - options[-1].start
    start = (options[-1].start + _DAY).replace(hour=mind.rng.choice((9, 10, 14, 15)), minute=0)
    new = options[-1]._replace(start=start, end=start + length)
    if new in right:
        return options
    mind.note(candidate=len(options), right=candidate_of(options[-1]), given=candidate_of(new))
    return [*options[:-1], new]


def _skipped(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Skips one candidate and gives the one after the last instead."""
    following = list(islice(all_options(facts), wanted(facts.request) + 1))
    if len(following) <= len(options):
        return options
    place = mind.rng.randrange(len(options))
    mind.note(candidate=place + 1, right=candidate_of(options[place]), what="skipped")
    return [*following[:place], *following[place + 1 :]]


def _lost(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Loses one candidate in the middle."""
    place = mind.rng.randrange(len(options)) if options else 0
    if options:
        mind.note(candidate=place + 1, right=candidate_of(options[place]), what="left out")
    return [*options[:place], *options[place + 1 :]]


def _one_more(mind: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    following = list(islice(all_options(facts), len(options) + 1))
    if len(following) > len(options):
        mind.note(given=len(following), wanted=facts.request.count)
    return following


def _repeated(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Writes one candidate twice and another not at all."""
    if len(options) < 2:
        return options
    place = mind.rng.randrange(1, len(options))
    mind.note(candidate=place + 1, right=candidate_of(options[place]), what="a repetition of the one before")
    return [*options[:place], options[place - 1], *options[place + 1 :]]


def _rooms_swapped(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Swaps the rooms of two neighbouring candidates at different times."""
    for place in mind.rng.sample(range(max(0, len(options) - 1)), max(0, len(options) - 1)):
        one, two = options[place : place + 2]
        if one.room_id != two.room_id and one.start != two.start:
            mind.note(
                candidate=place + 1, right=candidate_of(one), given=candidate_of(one._replace(room_id=two.room_id))
            )
            swapped = [one._replace(room_id=two.room_id), two._replace(room_id=one.room_id)]
            return [*options[:place], *swapped, *options[place + 2 :]]
    return options


def _digit_slip(mind: Mind, facts: Facts, option: Option) -> Option:
    """The number of the room one off."""
    assert option.room_id is not None
    number = int(option.room_id[1:]) + mind.rng.choice((-1, 1))
    ids = {room.room_id for room in facts.rooms or ()}
    near = f"R{number:02d}" if number > 0 else "R02"
    mind.note(known=near in ids)
    return option._replace(room_id=near)


_agent = partial(flawed, lead="The candidate of the slip alone is wrong", single=True)

_ONE_WRONG = "one candidate is wrong and the others are right"
_MISSING = "integration.room_missing"

AGENTS = (
    _agent("candidate-half-day", "One candidate is 12 hours off (am for pm).", _at_one(_half_day), (), _ONE_WRONG),
    _agent(
        "candidate-day-late",
        "One candidate's date slips by a day.",
        _at_one(lambda _, __, one: _moved(one, _DAY)),
        (),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-week-late",
        "One candidate's date slips by a week.",
        _at_one(lambda _, __, one: _moved(one, _WEEK)),
        (),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-year-off",
        "One candidate is given for the year before.",
        _at_one(lambda _, __, one: shifted_year(one)),
        (),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-end-late",
        "One candidate ends a quarter of an hour late.",
        _at_one(lambda _, __, one: one._replace(end=one.end + _QUARTER)),
        (),
        "integration.value_wrong:duration",
        _ONE_WRONG,
    ),
    _agent(
        "candidate-digit",
        "One candidate's start and end are 5 minutes off.",
        _at_one(lambda _, __, one: _moved(one, timedelta(minutes=5))),
        ("integration.off_grid",),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-made-up",
        "Makes up the last candidate, next to the one before it.",
        Plan(options=_made_up),
        (),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-next-day-made-up",
        "Makes up the last candidate, at a round hour of the next day.",
        Plan(options=_next_morning),
        (),
        _ONE_WRONG,
    ),
    _agent(
        "candidate-skipped",
        "Skips one candidate and gives one more at the end.",
        Plan(options=_skipped),
        (),
        "integration.ranking",
        _ONE_WRONG,
    ),
    _agent(
        "candidate-lost",
        "Leaves one candidate out.",
        Plan(options=_lost),
        ("integration.count:too_few",),
        "one candidate is missing",
    ),
    _agent(
        "candidate-added",
        "Gives one candidate too many, possible but beyond N.",
        Plan(options=_one_more),
        ("integration.count:too_many",),
    ),
    _agent(
        "candidate-repeated",
        "Writes one candidate twice and another not at all.",
        Plan(options=_repeated),
        ("integration.count:too_few",),
        "one candidate is repeated",
    ),
    _agent(
        "rooms-swapped",
        "Swaps the rooms of two candidates.",
        Plan(options=_rooms_swapped),
        (),
        "integration.constraint_omitted:bookings",
        _ONE_WRONG,
        levels=(3,),
    ),
    _agent(
        "room-digit",
        "Gives one candidate the room with the next number.",
        _at_one(_digit_slip),
        (),
        _ONE_WRONG,
        levels=(3,),
    ),
    _agent(
        "room-left-out",
        "Names no room for one candidate.",
        _at_one(lambda _, __, one: one._replace(room_id=None)),
        (_MISSING,),
        levels=(3,),
    ),
)
"""The agents of this module."""

"""Baselines that compose nothing: they guess, or obey one source alone."""

from collections import Counter
from dataclasses import replace
from itertools import islice
from random import Random

from mpcbench.benchmark.agents.baselines.known import Baseline, BaselineInput, Picks
from mpcbench.evaluation.scoring.answer import MAX_CANDIDATES
from mpcbench.oracle import resolve, solve
from mpcbench.oracle.resolve import statements
from mpcbench.schema import (
    BanWindow,
    CallPolicy,
    Deadline,
    NotBefore,
    References,
    RequiredWindow,
    Source,
    Thread,
    World,
)


def _noop(_: BaselineInput) -> Picks:
    return []


def _random(known: BaselineInput) -> Picks:
    # Seeded by the instance, so that every process draws the same.
    rng = Random(known.instance.instance_id)  # noqa: S311 - no secret
    slots, rooms = known.slots(), known.rooms()
    chosen = rng.sample(slots, min(known.problem.count, len(slots)))
    return [slot._replace(room_id=rng.choice(rooms)) for slot in sorted(chosen)]


def _first_slots(known: BaselineInput) -> Picks:
    return [slot._replace(room_id=known.rooms()[0]) for slot in known.slots()[: known.problem.count]]


def _most_common(known: BaselineInput) -> Picks:
    # Without the instance's own label, which would otherwise reveal a gold that no other instance shares.
    times = Counter(
        candidate
        for instance_id, label in known.labels.items()
        if instance_id != known.instance.instance_id
        for candidate in label.gold
    )
    ranked = sorted(times, key=lambda candidate: (-times[candidate], candidate.start, candidate.room_id or ""))
    return ranked[: known.problem.count]


def _everything(known: BaselineInput) -> Picks:
    rooms = known.rooms()
    return list(islice((slot._replace(room_id=room) for slot in known.slots() for room in rooms), MAX_CANDIDATES))


def _only(source: Source) -> Baseline:
    def only(known: BaselineInput) -> Picks:
        return solve(known.problem.from_source(source)).gold

    return only


def _tag_grep(known: BaselineInput) -> Picks:
    """Apply every policy, and every limit that a search turns up, whether or not it concerns the meeting."""
    word = known.instance.meeting.split()[0].casefold()
    threads = [
        _limits_as_of(thread, known.instance.meeting) for thread in known.world.threads if _mentions(thread, word)
    ]
    world = World.model_construct(
        **{name: getattr(known.world, name) for name in World.model_fields} | {"threads": tuple(threads)}
    )
    policies = tuple(CallPolicy(policy_id=policy_id) for policy_id in world.policy_by_id)
    references = References(
        statements=(*(own.statement for own in statements(known.world, known.instance)), *policies),
        threads=tuple(thread.thread_id for thread in threads),
    )
    grepped = resolve(
        world,
        known.instance.model_copy(update={"references": references}),
        hidden={f"calendar:{person.person_id}" for person in world.people},
    )
    constraints = tuple(
        constraint for constraint in grepped.constraints if constraint.source in {Source.POLICY, Source.THREADS}
    )
    return solve(replace(known.problem.from_source(Source.DIRECTORY), constraints=constraints)).gold


def _mentions(thread: Thread, word: str) -> bool:
    return any(word in message.text.casefold() for message in thread.messages)


def _limits_as_of(thread: Thread, meeting: str) -> Thread:
    limits = (BanWindow, CallPolicy, Deadline, NotBefore, RequiredWindow)
    messages = []
    for message in thread.messages:
        tags = [
            tag.model_copy(update={"meeting": meeting}) for tag in message.tags if isinstance(tag.statement, limits)
        ]
        messages.append(message.model_copy(update={"tags": tuple(tags)}))
    return thread.model_copy(update={"messages": tuple(messages)})


TRIVIAL: dict[str, Baseline] = {
    "noop": _noop,
    "random": _random,
    "first-slots": _first_slots,
    "most-common": _most_common,
    "everything": _everything,
    "only-calendar": _only(Source.CALENDAR),
    "only-policy": _only(Source.POLICY),
    "only-threads": _only(Source.THREADS),
    "only-directory": _only(Source.DIRECTORY),
    "only-rooms": _only(Source.ROOMS),
    "tag-grep": _tag_grep,
}
"""What each baseline proposes.

- noop: nothing; as an agent it answers with an empty message.
- random: N random grid slots of the window, seeded by the instance ID; at level 3 each with a random room.
- first-slots: the first N grid slots of the window; at level 3 each with the room of the lowest ID.
- most-common: the N candidates that are gold most often among the level's other instances, ties by time.
- everything: every grid slot of the window; at level 3 each with every room; cut at the parser's limit.
- only-SOURCE: the top N under the constraints of that source alone. The directory has none.
- tag-grep: the top N under the policies of all documents and the time limits of every thread that a search for the
  first word of the meeting's name finds, whichever meeting they concern; without calendars or room conditions.
"""

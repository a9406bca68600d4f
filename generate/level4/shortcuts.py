"""Shortcuts: the guesses of somebody who leaves most of the work undone, none of which may find the gold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from mpcbench.oracle.level4.knowledge import Knowledge
from mpcbench.oracle.level4.plan import SearchLimitError
from mpcbench.oracle.level4.solve import Pick, picks
from mpcbench.oracle.level4.timeline import Timeline
from mpcbench.oracle.problem import UnresolvedError
from mpcbench.schema import LunchBlock, ShortcutCheck, WorkHours
from mpcbench.schema.level4.policy import Policy

_WEEKDAYS: Final = (0, 1, 2, 3, 4)
USUAL_POLICIES: Final = {
    "9 to 17 on weekdays": WorkHours(start="09:00", end="17:00", days=_WEEKDAYS),
    "8 to 18 on weekdays": WorkHours(start="08:00", end="18:00", days=_WEEKDAYS),
    "lunch from 12 to 13": LunchBlock(start="12:00", end="13:00", days=_WEEKDAYS),
}
"""What an agent may take for the policies if it does not look them up."""

MOST_PLACEMENTS: Final = 5_000
"""How many placements a guess at a plan tries; who leaves most of the work undone does not search for longer."""


def shortcut_to(shortcuts: Iterable[ShortcutCheck], wanted: int) -> str | None:
    """The first shortcut that finds a gold of so many candidates; None if none does."""
    return next((one.shortcut for one in shortcuts if one.shared == wanted), None)


def shortcuts_of(knowledge: Knowledge) -> tuple[ShortcutCheck, ...]:
    """How many gold candidates the guesses of somebody find who leaves most of the work undone."""
    gold = set(picks(knowledge))
    return tuple(
        ShortcutCheck(shortcut=name, shared=len(gold & set(_answer(variant))))
        for name, variant in _shortcuts(knowledge)
    )


def _shortcuts(knowledge: Knowledge) -> Iterator[tuple[str, Knowledge]]:
    nobody_busy = replace(
        knowledge, calendars=_emptied(knowledge.calendars), team_calendars=_emptied(knowledge.team_calendars)
    )
    lawless = replace(knowledge, policies=())
    yield "without calendars", nobody_busy
    yield "calendars alone", _rooms_free(lawless)
    yield "rooms alone", replace(nobody_busy, policies=())
    yield "policies alone", _rooms_free(nobody_busy)
    yield "the window alone", _rooms_free(replace(nobody_busy, policies=()))
    if _answer(lawless) != picks(knowledge):
        for name, rule in USUAL_POLICIES.items():
            usual = Policy(policy_id="POL-00", edition=1, rules=(rule,))
            yield f"{name} for the policies", replace(knowledge, policies=(usual,))


def _rooms_free(knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, bookings=_emptied(knowledge.bookings), notices=())


def _emptied(calendars: Mapping[str, Timeline]) -> dict[str, Timeline]:
    return dict.fromkeys(calendars, Timeline())


def _answer(knowledge: Knowledge) -> tuple[Pick, ...]:
    try:
        return picks(knowledge, most=MOST_PLACEMENTS)
    except (UnresolvedError, SearchLimitError):
        return ()

"""Outlines: meetings that hang together, windows that face what is closed, and the edits that put their gold off."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from itertools import count, islice
from random import Random

import pytest

from mpcbench.generate.level4.naming import NAMES
from mpcbench.generate.level4.sampling.altering import KINDS, MESSAGE, Altering, EditKind
from mpcbench.generate.level4.sampling.drawing import Drawing
from mpcbench.generate.level4.sampling.rungs import rung_of
from mpcbench.generate.level4.sampling.script import Tagged, tagged
from mpcbench.generate.level4.sampling.setting import Setting
from mpcbench.generate.level4.sampling.staging import Staging
from mpcbench.generate.level4.sampling.terms import Outline, Rejected, gold_of
from mpcbench.generate.level4.world.names import meeting_names
from mpcbench.generate.level4.world.sites import moment
from mpcbench.oracle.interval import to_datetime
from mpcbench.oracle.level4.solve import Pick
from mpcbench.schema import Window
from mpcbench.schema.level4.instance import BookingChanged, Edit, EntryChanged, MessageSent, PagePosted
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import Said
from unit_tests.builders.made_office import SEED, made_knowledge, made_office

Drawn = tuple[Drawing, Outline, tuple[Pick, ...]]


@cache
def setting() -> Setting:
    return Setting(made_office(), made_knowledge())


def drawn(
    rung: int, mechanisms: set[Mechanism], draw: Callable[[Drawing], tuple[Outline, tuple[Pick, ...]]]
) -> Iterator[Drawn]:
    """Outlines that are not refused."""
    for seed in count():
        with suppress(Rejected):
            drawing = Drawing(setting(), rung_of(rung), frozenset(mechanisms), 0.5, Random(seed))
            yield drawing, *draw(drawing)


@cache
def single(*mechanisms: Mechanism, name: str = "Meeting") -> Drawn:
    """One meeting."""
    return next(drawn(2, {*mechanisms}, lambda drawing: drawing.single(name)))


def plans(*mechanisms: Mechanism) -> Iterator[Drawn]:
    """Several meetings each."""
    names = [f"Meeting {number}" for number in range(12)]
    return drawn(5, {Mechanism.JOINT, *mechanisms}, lambda drawing: drawing.plan("Plan", names))


@cache
def plan(*mechanisms: Mechanism) -> Drawn:
    """The first one."""
    return next(plans(*mechanisms))


def test_the_meetings_of_a_plan_hang_together() -> None:
    """One person has to be in all of them, and most wait for another one: what puts off the first puts off most."""
    waiting = others = 0
    for _, outline, gold in islice(plans(), 8):
        assert all(outline.organiser in terms.plainly_required for terms in outline.meetings)
        assert {pick.meeting for pick in gold} == {terms.name for terms in outline.meetings}
        waiting += sum(bool(terms.after) for terms in outline.meetings)
        others += len(outline.meetings) - 1

    assert waiting > others / 2


@pytest.mark.parametrize("make", [single, plan])
def test_a_window_faces_what_is_closed(make: Callable[..., Drawn]) -> None:
    """Where notices are to matter, somebody who knows of none finds no more of the gold than the rung allows."""
    drawing, outline, gold = make(Mechanism.NOTICES)
    unaware = gold_of(replace(outline.knowledge(made_knowledge()), notices=()))

    assert len({*unaware} & {*gold}) <= drawing.shape.found * len(gold)


def test_demands_change_the_gold() -> None:
    """Up to so many are added, after which the gold is another one and complete."""
    drawing, outline, gold = single()
    more, changed = drawing.demanding(outline, gold, 2)

    assert 1 <= len(more.meetings[0].demands) - len(outline.meetings[0].demands) <= 2
    assert changed == gold_of(more.knowledge(made_knowledge()))
    assert set(changed) != set(gold)
    assert len(changed) == outline.wanted


@pytest.mark.parametrize("make", [single, plan])
def test_a_window_ends_soon_after_the_gold(make: Callable[..., Drawn]) -> None:
    """There is no more to be read than that, and the gold is the same."""
    drawing, outline, gold = make()
    longer = replace(outline, window=outline.window.model_copy(update={"end": outline.window.end + timedelta(weeks=4)}))
    shorter, same = drawing.shorter(longer, gold)
    last = to_datetime(max(pick.end for pick in gold), made_knowledge().zone)

    assert same == gold == gold_of(shorter.knowledge(made_knowledge()))
    assert timedelta(0) <= shorter.window.end - last <= timedelta(days=4)


def altering(outline: Outline, gold: tuple[Pick, ...], *mechanisms: Mechanism) -> Altering:
    """What is proposed for an outline that has been told."""
    chosen, names = frozenset(mechanisms), meeting_names(SEED)[:NAMES]
    script = Staging(setting(), 2, chosen, names, Random(0)).script(outline, gold)
    told = tagged(script, SEED, 0, Random(0))
    return Altering(setting(), SEED, 0, chosen, told, outline, 0.4, Random(0))


def named() -> tuple[Outline, tuple[Pick, ...]]:
    """One meeting with a name of the place."""
    return single(name=str(meeting_names(SEED)[0].name))[1:]


def edit_of(told: Tagged) -> Edit:
    """What happens while an agent works."""
    assert told.change is not None
    return told.change.edit


@pytest.mark.parametrize(
    ("kind", "edit"), [*zip(KINDS, (MessageSent, PagePosted, EntryChanged, BookingChanged), strict=True)]
)
def test_edits_of_every_kind_put_off_the_gold(kind: EditKind, edit: type) -> None:
    """Some of a few leave at most two fifths of it."""
    outline, gold = named()
    kept = []
    for told in islice(altering(outline, gold).edits(kind, gold), 30):
        assert isinstance(edit_of(told), edit)
        after = gold_of(told.known_after(made_knowledge()))
        kept.append(len({*after} & {*gold}))

    assert min(kept) <= 0.4 * len(gold)


def test_a_window_is_moved_by_whole_days() -> None:
    """From midnight to midnight, also where the clocks change in between."""
    outline, gold = named()
    window = outline.window.model_copy(
        update={"start": moment(date(2027, 3, 25), 0), "end": moment(date(2027, 4, 1), 0)}
    )
    outline = replace(outline, window=window)
    edits = [edit_of(told) for told in islice(altering(outline, gold).edits(MESSAGE, gold), 200)]
    tags = [tag for one in edits if isinstance(one, MessageSent) for tag in one.message.tags]
    windows = [tag.statement for tag in tags if isinstance(tag, Said) and isinstance(tag.statement, Window)]

    assert windows
    assert all(edge == moment(edge.date(), 0) for one in windows for edge in (one.start, one.end))

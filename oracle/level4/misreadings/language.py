"""Misreadings of what is said: aliases, values by reference, and who may decide."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from mpcbench.oracle.level4.knowledge import Knowledge, Line, Meaning, reading_order, without
from mpcbench.oracle.level4.misreadings.slip import Misreading, Slip
from mpcbench.oracle.level4.touched import Touched
from mpcbench.schema.level4.header import ALIAS
from mpcbench.schema.level4.mechanism import Mechanism
from mpcbench.schema.level4.statements import Agreed, Invite, Said, Uninvite

_MOST_LOOKALIKES = 3


def _not_found(_: Knowledge, found: Touched) -> Iterator[Slip]:
    for alias in found.aliases:
        yield Slip(alias, alias, partial(without_alias, alias))


def without_alias(alias: str, knowledge: Knowledge) -> Knowledge:
    """The knowledge of somebody who has not found what an alias means."""
    return replace(knowledge, aliases=without(knowledge.aliases, alias))


def _other_meaning(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for alias in found.aliases:
        record, means = knowledge.aliases[alias]
        for other in lookalikes(knowledge, knowledge.meaning(means) or means):
            yield Slip(f"{alias} as {other}", alias, partial(_meaning, alias, Meaning(record, other)))


def _meaning(alias: str, wrong: Meaning, knowledge: Knowledge) -> Knowledge:
    return replace(knowledge, aliases={**knowledge.aliases, alias: wrong})


def lookalikes(knowledge: Knowledge, name: str) -> list[str]:
    """What a person, team or meeting may be taken for: those whose names share most words with it, at least one."""
    if name in knowledge.people:
        names = {one.person_id: one.name for one in knowledge.people.values()}
    elif name in knowledge.teams:
        names = {one.team_id: one.name for one in knowledge.teams.values()}
    else:
        names = {one: one for one in knowledge.lines if not one.startswith(ALIAS)}
    words = set(names.get(name, name).split())
    shared = {one: len(words & set(text.split())) for one, text in names.items() if one != name}
    found = sorted((-common, one) for one, common in shared.items() if common)
    return [one for _, one in found[:_MOST_LOOKALIKES]]


def _first_value(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for name in _referred(knowledge, found):
        yield Slip(name, name, partial(_not_amended, name))


def _not_amended(name: str, knowledge: Knowledge) -> Knowledge:
    return _with_lines(knowledge, name, _first_said(knowledge.said_about(name)))


def _first_said(lines: list[Line]) -> list[Line]:
    """The lines without amendments: of each kind the first, without later invitations and agreements."""
    kept: dict[str, Line] = {}
    for line in lines:
        if isinstance(line.tag, Said) and not isinstance(line.tag.statement, Invite | Uninvite):
            kept.setdefault(line.tag.statement.kind, line)
    return sorted(kept.values(), key=reading_order)


def _other_edition(knowledge: Knowledge, found: Touched) -> Iterator[Slip]:
    for name in _referred(knowledge, found):
        for other in lookalikes(knowledge, name):
            if other not in found.meetings:
                yield Slip(f"{name} as {other}", name, partial(_taken_for, name, other))


def _taken_for(name: str, other: str, knowledge: Knowledge) -> Knowledge:
    return _with_lines(knowledge, name, knowledge.said_about(other))


def _referred(knowledge: Knowledge, found: Touched) -> list[str]:
    """The meetings that others take values from; not the subject and its meetings."""
    own = {found.subject}
    for line in found.lines:
        if isinstance(line.tag, Said) and line.tag.statement.kind == "agenda":
            own |= {knowledge.meaning(one) or one for one in line.tag.statement.meetings}
    return [name for name in found.meetings if name not in own]


def _about(line: Line, name: str) -> Line:
    return line._replace(tag=line.tag.model_copy(update={"about": name}))


def _with_lines(knowledge: Knowledge, name: str, lines: list[Line]) -> Knowledge:
    """The knowledge in which exactly these lines are about a meeting."""
    others = {about: some for about, some in knowledge.lines.items() if knowledge.meaning(about) != name}
    return replace(knowledge, lines={**others, name: tuple(_about(line, name) for line in lines)})


def _edited(line: Line, edit: Callable[[Line], Line | None]) -> Callable[[Knowledge], Knowledge]:
    """The function that changes or removes a line, wherever it is found."""
    where = line.where

    def apply(known: Knowledge) -> Knowledge:
        lines = dict(known.lines)
        for about in dict.fromkeys(known.abouts_of.get(where, ())):
            edited = (edit(one) if one.where == where else one for one in known.lines[about])
            lines[about] = tuple(one for one in edited if one is not None)
        found = known.having(lines=lines)
        vars(found)["abouts_of"] = known.abouts_of  # a line that is removed is then looked for in vain
        return found

    return apply


def dropped(line: Line) -> Callable[[Knowledge], Knowledge]:
    """The function that loses a line."""
    return _edited(line, lambda _: None)


def rewritten(line: Line, wrong: Said) -> Callable[[Knowledge], Knowledge]:
    """The function that takes what a line says for something else."""
    return _edited(line, lambda one: one._replace(tag=wrong))


def _proposals_hold(_: Knowledge, found: Touched) -> Iterator[Slip]:
    for line in found.lines:
        if line.author is not None and isinstance(line.tag, Said):
            yield Slip(line.key, line.key, _edited(line, lambda one: one._replace(author=None)))


def _confirmed_dropped(_: Knowledge, found: Touched) -> Iterator[Slip]:
    for line in found.lines:
        if isinstance(line.tag, Agreed):
            yield Slip(line.key, line.key, dropped(line))


LANGUAGE = (
    Misreading(Mechanism.ALIAS, "not_found", _not_found),
    Misreading(Mechanism.ALIAS, "other_meeting", _other_meaning),
    Misreading(Mechanism.BY_REFERENCE, "first_value", _first_value),
    Misreading(Mechanism.BY_REFERENCE, "other_edition", _other_edition),
    Misreading(Mechanism.AUTHORITY, "proposals_hold", _proposals_hold),
    Misreading(Mechanism.AUTHORITY, "confirmed_dropped", _confirmed_dropped),
)

"""Phrase what messages and pages state about the organisation: definitions, handovers, swaps and notices."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final

from mpcbench.generate.level4.wording.names import Names
from mpcbench.generate.level4.wording.statements import Speech, sentence
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import one_of
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.schema import BanWindow
from mpcbench.schema.level4.facts import (
    Definition,
    Effect,
    Fact,
    Handover,
    NewManager,
    Notice,
    RoomClosed,
    SiteClosed,
    SiteOpen,
    Swap,
)

DEFINITION: Final = (
    '"{alias}" [means|stands for|is our name for|is what we call] {meaning}',
    'by "{alias}" we mean {meaning}',
    '[when people say "{alias}", they mean {meaning}|when we say "{alias}", we mean {meaning}]',
    '{meaning} is [also called|known as|better known as] "{alias}"',
    'we call {meaning} "{alias}"',
)
HANDOVER: Final = (
    "from {since} on, {person} is {role}",
    "{person} takes over as {role} on {since}",
    "on {since}, {person} becomes {role}",
    "the new {role} is {person}, from {since} on",
    "as of {since}, {person} is our {role}",
)
NEW_MANAGER: Final = (
    "from {since} on, {person} reports to {manager}",
    "from {since} on, the manager of {person} is {manager}",
    "as of {since}, {manager} manages {person}",
    "on {since}, {manager} becomes the manager of {person}",
    "{person} has a new manager from {since} on, namely {manager}",
)
SWAP: Final = (
    "{person} takes over the duty on the {roster} {days}",
    "{days}, {person} is on duty on the {roster}",
    "on the {roster}, {person} steps in {days}",
    "there has been a swap on the {roster}, {person} is on duty {days}",
    "{person} covers the {roster} {days}",
)
NOTICE: Final = ("notice {notice}: {effect}", "under notice {notice}, {effect}", "{effect} (notice {notice})")
ROOM_CLOSED: Final = (
    "room {room} [is closed|is out of service|cannot be used] {span}",
    "[there is no access to|nobody can use] room {room} {span}",
    "the meeting room {room} is [not available|out of use] {span}",
    "room {room} stays closed {span}",
)
SITE_CLOSED: Final = (
    "the whole site {site} is closed {span}",
    "[none of the rooms|no room] at {site} can be used {span}",
    "all rooms at {site} [are closed|are out of service] {span}",
    "{site} stays closed {span}",
)
SITE_OPEN: Final = (
    "the building at {site} is open {span}, whatever its usual hours",
    "{site} opens its doors {span}, in addition to its usual hours",
    "{site} is also open {span}",
    "the building at {site} is exceptionally open {span}",
)
REPLACES: Final = (
    "notice {notice} replaces notice {replaced}",
    "notice {replaced} is replaced by notice {notice}",
    "notice {replaced} no longer holds, notice {notice} takes its place",
    "with notice {notice}, notice {replaced} is no longer in force",
)
TAKEN_BACK: Final = (
    "notice {notice} takes back notice {replaced}",
    "notice {replaced} is taken back by notice {notice}",
    "with notice {notice}, notice {replaced} is cancelled",
    "notice {replaced} has been withdrawn, see notice {notice}",
)


def say_fact(fact: Fact, names: Names, rng: Random) -> list[str]:
    """The sentences that state a fact; days are written with their year.

    Raises:
        PhrasingError: no phrasing would be exact.
    """
    match fact:
        case Definition(alias=alias, means=means):
            return [_said(DEFINITION, rng, alias=names.alias(alias), meaning=names.anything(means))]
        case Handover(role=role, person_id=person, since=since):
            return [_said(HANDOVER, rng, role=names.role(role), person=names.person(person), since=_day(since, rng))]
        case NewManager(person_id=person, manager=manager, since=since):
            return [
                _said(
                    NEW_MANAGER,
                    rng,
                    person=names.person(person),
                    manager=names.person(manager),
                    since=_day(since, rng),
                )
            ]
        case Swap(roster=roster, first=first, last=last, person_id=person):
            return [
                _said(
                    SWAP,
                    rng,
                    roster=names.roster(roster),
                    person=names.person(person),
                    days=days(first, last, rng),
                )
            ]
        case Notice():
            return _notice(fact, names, rng)


def days(first: date, last: date, rng: Random) -> str:
    """A run of days with their year, both included, as an adverbial."""
    if last < first:
        raise PhrasingError(f"the last day, {last}, is before the first, {first}")
    style = rng.choice(words.DATED_STYLES)
    low, high = words.day(first, style), words.day(last, style)
    if first == last:
        return f"on {low}"
    return rng.choice(
        (
            f"from {low} through {high}",
            f"from {low} to {high} inclusive",
            f"between {low} and {high} (both days included)",
            f"from {low} up to and including {high}",
        )
    )


def _said(texts: Sequence[str], rng: Random, **fields: str) -> str:
    return sentence(one_of(texts, rng).format(**fields))


def _day(day: date, rng: Random) -> str:
    return words.day(day, rng.choice(words.DATED_STYLES))


def _notice(notice: Notice, names: Names, rng: Random) -> list[str]:
    if not notice.effects and notice.replaces is None:
        raise PhrasingError(f"notice {notice.notice_id} has no effect")
    said = [_said(NOTICE, rng, notice=notice.notice_id, effect=_effect(one, names, rng)) for one in notice.effects]
    if notice.replaces is not None:
        texts = REPLACES if notice.effects else TAKEN_BACK
        said.append(_said(texts, rng, notice=notice.notice_id, replaced=notice.replaces))
    return said


def _effect(effect: Effect, names: Names, rng: Random) -> str:
    match effect:
        case RoomClosed(room_id=room):
            texts, site, fields = ROOM_CLOSED, names.site_of(room), {"room": names.room(room)}
        case SiteClosed(site=site):
            texts, fields = SITE_CLOSED, {"site": names.site(site)}
        case SiteOpen(site=site):
            texts, fields = SITE_OPEN, {"site": names.site(site)}
    return one_of(texts, rng).format(span=_span(effect, site, names, rng), **fields)


def _span(effect: Effect, site: str, names: Names, rng: Random) -> str:
    """The time of an effect, by the clock of its site or of the world."""
    speech = Speech(names, rng, names.office.zone, site=site if rng.random() < 0.6 else None)
    return speech.span(BanWindow(start=effect.start, end=effect.end), between=True)

"""Phrase a statement about a meeting as one or two sentences.

The tables of phrasings are in `statements_meeting`, `statements_time` and `statements_room`; `values` writes days,
times, numbers and lists.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from random import Random
from typing import NamedTuple

from mpcbench.generate.wording import statements_meeting as basics
from mpcbench.generate.wording import statements_room as rooms
from mpcbench.generate.wording import statements_time as limits
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import capitalised, chosen, one_of
from mpcbench.generate.wording.statements_meeting import Forms
from mpcbench.generate.wording.values import PhrasingError
from mpcbench.generate.wording.vocabulary import COMPANIES, EQUIPMENT_PHRASES
from mpcbench.schema import (
    AddParticipant,
    AfterEvent,
    BanWindow,
    CallPolicy,
    Deadline,
    Duration,
    Equipment,
    Guests,
    NotBefore,
    OptionCount,
    Order,
    Participants,
    Ranking,
    RemoveParticipant,
    RequiredWindow,
    Site,
    Statement,
    TieBreak,
    Window,
)

__all__ = ["NamedEvent", "PhrasingError", "Voice", "forms", "say"]


class NamedEvent(NamedTuple):
    """How a calendar event is referred to; its title must be unique in its calendar on its local day."""

    title: str
    start: datetime


@dataclass(frozen=True, slots=True)
class Voice:
    """How a speaker refers to things in the world."""

    zone: tzinfo
    names: Mapping[str, str]
    """Each person's name by person ID, with the team if others share the name."""

    events: Mapping[str, NamedEvent] = field(default_factory=dict)
    """Events that statements refer to, by event ID."""

    documents: Mapping[str, str | None] = field(default_factory=dict)
    """The document to mention with a policy ID, if any."""

    correcting: bool = False
    """Whether the statement replaces an earlier one of its kind or, for kinds that add up, adds to it."""

    author: str | None = None
    """The person ID of the speaker, who says "I", "me" and "my" of themselves; None for a voice without a speaker."""


def forms(statement: Statement, author: str | None = None) -> Forms:
    """The phrasings available for a statement, in the words of its author."""
    match statement:
        case AddParticipant(person_id=person) if person == author:
            return basics.ADD_AUTHOR
        case RemoveParticipant(person_id=person) if person == author:
            return basics.REMOVE_AUTHOR
        case Guests(count=0):
            return rooms.NO_GUESTS
        case Ranking(order=Order.LATEST):
            return limits.RANKING_LATEST
        case Ranking():
            return limits.RANKING_EARLIEST
        case _:
            return _FORMS[statement.kind]


def say(statement: Statement, voice: Voice, rng: Random) -> str:
    """One or two sentences that express a statement about "this meeting" exactly.

    Raises:
        PhrasingError: no phrasing would be exact.
    """
    choices = forms(statement, voice.author)
    template = one_of(choices.again if voice.correcting else choices.first, rng)
    return fill(template, statement, voice, rng)


def fill(template: str, statement: Statement, voice: Voice, rng: Random) -> str:
    """A phrasing without choices, with its fields filled in; raises `PhrasingError` like `say`."""
    return capitalised(template.format(**_fields(statement, voice, rng)))


_FORMS: Mapping[str, Forms] = {
    "duration": basics.DURATION,
    "option_count": basics.OPTION_COUNT,
    "window": basics.WINDOW,
    "participants": basics.PARTICIPANTS,
    "add_participant": basics.ADD_PARTICIPANT,
    "remove_participant": basics.REMOVE_PARTICIPANT,
    "guests": rooms.GUESTS,
    "call_policy": limits.CALL_POLICY,
    "deadline": limits.DEADLINE,
    "not_before": limits.NOT_BEFORE,
    "ban_window": limits.BAN_WINDOW,
    "required_window": limits.REQUIRED_WINDOW,
    "after_event": limits.AFTER_EVENT,
    "tie_break": rooms.TIE_BREAK,
    "equipment": rooms.EQUIPMENT,
    "site": rooms.SITE,
}


def _fields(statement: Statement, voice: Voice, rng: Random) -> dict[str, str]:  # noqa: C901, PLR0911, PLR0912
    match statement:
        case Duration(minutes=minutes):
            return {"duration": words.duration(rng, minutes)}
        case OptionCount(count=count):
            return {"options": words.counted(rng, count, "option", "proposal", "suggestion")}
        case Window():
            return words.window(rng, statement, voice.zone)._asdict()
        case Participants(person_ids=people):
            named = [voice.names[person] for person in people if person != voice.author]
            return {
                "people": words.listed([*named, "me"] if voice.author in people else named),
                "all": ("both" if len(people) == 2 else "all") + (" of us" if voice.author in people else " of them"),
            }
        case AddParticipant(person_id=person) | RemoveParticipant(person_id=person):
            return {"person": voice.names[person]}
        case Guests(count=count):
            return {
                "visitors": words.counted(rng, count, "visitor", "guest"),
                "company": rng.choice(COMPANIES),
                "seats": "a seat" if count == 1 else "seats",
            }
        case CallPolicy(policy_id=policy):
            return {"policy": _policy(policy, voice.documents.get(policy), rng)}
        case Deadline(at=at) | NotBefore(at=at):
            return {
                "moment": words.moment(rng, at, voice.zone),
                "deadline_reason": rng.choice(limits.DEADLINE_REASONS),
                "start_reason": rng.choice(limits.START_REASONS),
            }
        case BanWindow() | RequiredWindow():
            return {
                "span": words.span(rng, statement, voice.zone),
                "between": words.span(rng, statement, voice.zone, between=True),
                "blocker": rng.choice(limits.BLOCKERS),
                "reason": rng.choice(limits.RESTRICTIONS),
                "reason_too": rng.choice(limits.MORE_CHOICE),
            }
        case AfterEvent():
            return _event(statement, voice, rng)
        case Ranking():
            return {}
        case TieBreak(keys=keys):
            return {"keys": chosen(rooms.NEXT_KEY, rng).join(chosen(rooms.KEYS[key], rng) for key in keys)}
        case Equipment(items=items):
            return {"items": words.listed([EQUIPMENT_PHRASES.get(item, item) for item in items])}
        case Site(site=site):
            return {"site": site}


def _policy(policy: str, document: str | None, rng: Random) -> str:
    if document is None:
        return policy
    return rng.choice((f"{policy} ({document})", f"{policy} (in {document})", f"{policy} in {document}"))


def _event(statement: AfterEvent, voice: Voice, rng: Random) -> dict[str, str]:
    event = voice.events[statement.event_id]
    name = voice.names[statement.person_id]
    if statement.person_id == voice.author:
        called = [f"my '{event.title}'", f"the '{event.title}' in my calendar"]
    else:
        called = [f"the '{event.title}' that {name} has", f"the '{event.title}' in the calendar of {name}"]
        if name.replace(" ", "").isalpha():
            called.append(f"{name}'s '{event.title}'")
    style = rng.choice(words.DAY_STYLES)
    return {"event": rng.choice(called), "day": words.day(event.start.astimezone(voice.zone).date(), style)}

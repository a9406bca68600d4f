"""Write the section of a policy document that states one edition of a policy."""

from collections.abc import Sequence
from datetime import date
from random import Random
from typing import Final

from mpcbench.generate.level4.wording.facts import days
from mpcbench.generate.level4.wording.names import Names, names_of
from mpcbench.generate.level4.wording.statements import sentence
from mpcbench.generate.wording import policies as rules
from mpcbench.generate.wording import values as words
from mpcbench.generate.wording.choices import one_of
from mpcbench.schema import BanDowTime, BufferMin, LunchBlock, RoomTurnaround, WorkHours
from mpcbench.schema.level4.policy import Exemption, LadderRule, Policy, Scope
from mpcbench.schema.level4.world import LadderSection, LadderWorld

HEADINGS: Final = {
    "work_hours": ("Hours for meetings", "Core hours", "When meetings may be held"),
    "lunch_block": ("Midday break", "Lunch", "The middle of the day"),
    "ban_dow_time": ("Focus time", "Quiet hours", "Time without meetings"),
    "buffer_min": ("Pauses between meetings", "Breathing space", "Gaps in calendars"),
    "room_turnaround": ("Turnaround of rooms", "Between two bookings", "Resetting rooms"),
    "holidays_block": ("Public holidays", "Holidays", "Days off"),
    "tentative_free": ("Tentative entries", "Entries in pencil", "What is not settled yet"),
    "team_calendar_blocks": ("Team calendars", "Dates of teams", "Shared calendars"),
    "building_open": ("Open buildings", "Opening hours of buildings", "Access to buildings"),
}
NO_RULE: Final = ("Exceptions", "Scope of other rules", "What does not apply")
RULES: Final = {
    "holidays_block": (
        "[no participant|nobody] is asked to a meeting on a public holiday of the country of their site",
        "a public holiday at a participant's site is a day off for that participant, and no meeting is [held|scheduled] on it",
        "meetings keep off the public holidays of every participant's country",
        "on a public holiday in the country of a participant's site, that participant is not available for meetings",
    ),
    "tentative_free": (
        "tentative entries in the calendars of participants do not stand in the way of a meeting",
        "a meeting may overlap tentative entries of its participants",
        "what is only tentative in a participant's calendar counts as free",
        "participants give up their tentative entries for a meeting",
    ),
    "team_calendar_blocks": (
        "entries in the calendar of a team count as entries of everybody whom the team's page lists",
        "the calendar of a team counts as part of the calendar of each of the people on the team's page",
        "what takes time in a team calendar takes the time of everybody on that team's page",
        "everybody on the page of a team is busy whenever the team's calendar says so",
    ),
    "building_open": (
        "a meeting lies wholly within the opening hours of the building that its room is in",
        "rooms are only used while their building is open, from the first minute of a meeting to its last",
        "no meeting begins before the building of its room opens or ends after it has closed",
        "a meeting takes place only while the building of its room is open",
    ),
}
PURPOSES: Final = {
    "holidays_block": (
        "Public holidays differ from country to country, and they are for rest.",
        "Nobody should have to explain why they are at home on a holiday.",
    ),
    "tentative_free": (
        "Calendars fill up with things that may never happen.",
        "Many an entry in pencil is rubbed out again.",
    ),
    "team_calendar_blocks": (
        "Teams keep their common dates in one place.",
        "Not every common date is copied into every calendar.",
    ),
    "building_open": (
        "The porters go home at some point, too.",
        "Lights, heating and lifts follow the same clock as the doors.",
    ),
}
FIRST: Final = (
    "in force from {first} on",
    "this edition applies from {first} on",
    "with effect from {first}",
    "it comes into force on {first}",
)
FIRST_AND_LAST: Final = (
    "in force {days}",
    "this edition applies {days}",
    "it holds {days} and on no other day",
    "its period of validity runs {days}",
)
LAST: Final = (
    "in force up to and including {last}",
    "this edition ends after {last}",
    "its last day is {last}",
    "it holds until the end of {last}",
)
SCOPES: Final = (
    "[this section|it|the rule] applies to meetings {conditions}",
    "[this section|it|the rule] is for meetings {conditions}, and for no others",
    "meetings {conditions} come under this section, others do not",
    "[this section|the rule] covers meetings {conditions}",
)
EVERYWHERE: Final = (
    "[this section|it|the rule] applies to all meetings",
    "all meetings come under this section",
    "[this section|the rule] covers every meeting",
    "[this section|it|the rule] is for meetings of every kind",
)
PEOPLE_AT: Final = (
    "it binds only participants whose site is {sites}",
    "of the participants, only those at {sites} are bound by it",
    "among the participants, it holds for those at {sites} only",
    "participants at other sites than {sites} are not bound by it",
)
EXEMPTIONS: Final = (
    "{policy} does not apply to meetings {conditions}",
    "meetings {conditions} are exempt from {policy}",
    "an exception from {policy} is made for meetings {conditions}",
    "for meetings {conditions}, {policy} is waived",
)
GENERAL_EXEMPTIONS: Final = (
    "{policy} does not apply to any meeting as long as this edition is in force",
    "as long as this edition is in force, all meetings are exempt from {policy}",
    "{policy} is suspended for all meetings by this edition",
    "for the time of this edition, {policy} is waived for all meetings",
)


def section(policy: Policy, office: LadderWorld | Names, rng: Random, heading: str | None = None) -> LadderSection:
    """The section that states this edition of a policy; days are written with their year.

    Args:
        policy: The edition.
        office: Has the sites and teams of its conditions.
        rng: Chooses among the phrasings.
        heading: Without the policy's ID and edition; one that fits the first rule if None.

    Raises:
        PhrasingError: something cannot be expressed exactly.
    """
    names = names_of(office)
    said = [*_validity(policy, rng), _scope(policy.scope, names, rng)]
    if policy.people_at:
        said.append(sentence(one_of(PEOPLE_AT, rng).format(sites=words.listed(_sites(policy.people_at, names), "or"))))
    for rule in policy.rules:
        said += _rule(rule, rng)
    said += [_exemption(one, policy, names, rng) for one in policy.exemptions]
    kind = policy.rules[0].kind if policy.rules else None
    return LadderSection(
        heading=heading or rng.choice(HEADINGS[kind] if kind else NO_RULE), text=" ".join(said), policy=policy
    )


def _validity(policy: Policy, rng: Random) -> list[str]:
    first, last = policy.first, policy.last
    if first is not None and last is not None:
        return [sentence(one_of(FIRST_AND_LAST, rng).format(days=days(first, last, rng)))]
    if first is not None:
        return [sentence(one_of(FIRST, rng).format(first=_day(first, rng)))]
    return [] if last is None else [sentence(one_of(LAST, rng).format(last=_day(last, rng)))]


def _day(day: date, rng: Random) -> str:
    return words.day(day, rng.choice(words.DATED_STYLES))


def _scope(scope: Scope, names: Names, rng: Random) -> str:
    conditions = _conditions(scope, names, rng)
    return sentence(one_of(SCOPES, rng).format(conditions=conditions) if conditions else one_of(EVERYWHERE, rng))


def _conditions(scope: Scope, names: Names, rng: Random) -> str:
    """The conditions as relative clauses, to follow `meetings`; empty without any."""
    found: list[str] = []

    def add(texts: Sequence[str], value: str = "") -> None:
        """Add a condition; after another one it is a clause with a verb."""
        clauses = [text for text in texts if text.startswith(("that ", "whose "))]
        found.append(rng.choice(clauses if found else texts).format(value))

    if scope.guests is not None:
        add(_WITH_GUESTS if scope.guests else _WITHOUT_GUESTS)
    if scope.room_sites:
        add(_ROOM_SITES, words.listed(_sites(scope.room_sites, names), "or"))
    if scope.organiser_teams:
        add(_ORGANISER_TEAMS, words.listed([names.team(team) for team in scope.organiser_teams], "or"))
    if scope.longer_than is not None:
        add(_LONGER, _length(scope.longer_than, rng))
    if scope.at_most is not None:
        add(_AT_MOST, _length(scope.at_most, rng))
    return " and ".join(found)


_WITH_GUESTS: Final = ("with guests from outside", "that guests from outside attend", "that have guests")
_WITHOUT_GUESTS: Final = ("without guests from outside", "that no guests attend", "that have no guests")
_ROOM_SITES: Final = ("whose room is at {}", "held in a room at {}", "that take place at {}")
_ORGANISER_TEAMS: Final = ("whose organiser is in {}", "organised by somebody in {}", "whose organiser belongs to {}")
_LONGER: Final = ("that last longer than {}", "of more than {}", "that take more than {}")
_AT_MOST: Final = ("that last {} or less", "of at most {}", "that take no longer than {}")


def _length(minutes: int, rng: Random) -> str:
    return words.duration(rng, minutes) if minutes else "0 minutes"


def _sites(sites: Sequence[str], names: Names) -> list[str]:
    return [names.site(site) for site in sites]


def _rule(rule: LadderRule, rng: Random) -> list[str]:
    """The rule, sometimes with its purpose and with what it does not concern."""
    purposes: Sequence[str] = PURPOSES.get(rule.kind, ())
    beside: Sequence[str] = ()
    match rule:
        case WorkHours() | LunchBlock() | BanDowTime() | BufferMin() | RoomTurnaround():
            said = rules.say_rule(rule, rng)
            purposes, beside = rules.RULES[rule.kind].purpose, rules.RULES[rule.kind].exception
        case _:
            said = sentence(one_of(RULES[rule.kind], rng))
    return [
        *([rng.choice(purposes)] if rng.random() < 0.6 else ()),
        said,
        *([rng.choice(beside)] if beside and rng.random() < 0.3 else ()),
    ]


def _exemption(exemption: Exemption, policy: Policy, names: Names, rng: Random) -> str:
    called = "this section" if exemption.policy_id == policy.policy_id else exemption.policy_id
    conditions = _conditions(exemption.when, names, rng)
    texts = EXEMPTIONS if conditions else GENERAL_EXEMPTIONS
    return sentence(one_of(texts, rng).format(policy=called, conditions=conditions))

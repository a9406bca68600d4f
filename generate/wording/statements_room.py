"""The phrasings of a meeting's room requirements and tie-breaks."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

GUESTS = Forms(
    (
        "{visitors} from {company} will join us in the room, so we need {seats} for them too.",
        "Count {seats} for {visitors} from {company} on top of our own people.",
        "We'll have {visitors} with us from {company}, plan {seats} accordingly.",
        "{company} is sending {visitors}: please reckon with {seats} for them besides the participants.",
        "Besides our own people there will be {visitors} from {company} in the room.",
        "Don't forget that {company} comes with {visitors}, and they need {seats} as well.",
        "The room must also hold {visitors} from {company}.",
    ),
    (
        "The number of visitors has changed: {visitors} in all now.",
        "Correction for the seats: {visitors} in total will sit in the room with us.",
        "Reception called: it's {visitors} altogether instead of the number we had.",
        "Forget the earlier number from outside, we now expect {visitors} in total.",
        "Please plan for {visitors} altogether, not for the number given before.",
        "New head count of people from outside, replacing the old one: {visitors} in all.",
    ),
)

NO_GUESTS = Forms(
    (
        "There will be no visitors from outside.",
        "No external guests this time, only our own people need seats.",
        "Nobody from outside joins, so no extra seats.",
        "We have no guests in this one.",
        "No visitors to seat besides the participants.",
        "Seats for the participants are enough: no guests.",
    ),
    (
        "The visitors have cancelled, nobody comes from outside any more.",
        "Correction for the seats: no guests from outside after all.",
        "Forget the visitors, there will be no guests now.",
        "The guests dropped out, so no extra seats.",
        "Change of plan: no visitors at all from outside.",
        "The people from outside won't come after all, so no guests.",
    ),
)

EQUIPMENT = Forms(
    (
        "The room needs {items}.",
        "We can't do without {items} in the room.",
        "Please make sure there is {items} in the room.",
        "Only a room with {items} will do.",
        "It must be a room that has {items}.",
        "Equipment required: {items}.",
        "For the demo we depend on {items}, so the room must have that.",
    ),
    (
        "The room also needs {items}.",
        "One more thing for the room: {items}.",
        "Please make sure there is {items} in the room as well.",
        "I forgot the equipment, we depend on {items} too.",
        "On top of what we said, the room must have {items}.",
        "Additional equipment required: {items}.",
    ),
)

SITE = Forms(
    (
        "The room has to be at {site}.",
        "We meet at {site}, so only rooms there.",
        "Site: {site}, nothing else.",
        "Please take a room at {site}.",
        "Everyone will be at {site}, rooms elsewhere are no use.",
        "It must be in one of the rooms at {site}.",
        "Only {site} is possible as a site.",
    ),
    (
        "Change of place: the room has to be at {site} now.",
        "Correction of the site: {site}.",
        "Forget the site from before, we meet at {site}.",
        "We moved it, please take a room at {site} instead.",
        "New site, replacing the old one: {site}.",
        "After all it must be in one of the rooms at {site}.",
    ),
)

TIE_BREAK = Forms(
    (
        "If several rooms are free at the same time, {keys}.",
        "Where more than one room fits a time, please rank them: {keys}.",
        "Several rooms for one time? Then {keys}.",
        "Order of rooms within the same time: {keys}.",
        "For rooms that tie on the time, take {keys}.",
        "When a time has a choice of rooms, list {keys}.",
        "Among the rooms of one time slot: {keys}.",
    ),
    (
        "Change of the room order: within the same time, {keys}.",
        "Forget the earlier room preference; if several rooms are free at the same time, {keys}.",
        "Correction: where more than one room fits a time, {keys}.",
        "New ranking of rooms, replacing the old one: {keys} within the same time.",
        "We'd rather have the rooms of one time ordered differently: {keys}.",
        "Scrap the room order from before. Order of rooms within the same time: {keys}.",
    ),
)

KEYS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "capacity_ascending": ("smallest room first", "the room with the fewest seats first", "lowest capacity first"),
        "capacity_descending": ("largest room first", "the room with the most seats first", "highest capacity first"),
        "floor_ascending": ("lowest floor first", "the room on the lower floor first"),
        "floor_descending": ("highest floor first", "the room on the higher floor first"),
        "name_ascending": ("room names in alphabetical order", "rooms alphabetically by name"),
    }
)

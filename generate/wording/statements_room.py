"""The phrasings of a meeting's room requirements and tie-breaks."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

GUESTS = Forms(
    (
        "{visitors} from {company} will [join us|be with us] in the room[|, so we need {seats} for them too].",
        "[Count|Please add] {seats} for {visitors} from {company} on top of our own people.",
        "We'll have {visitors} from {company} with us, [and the room has to seat them too|so please count {seats} for them].",
        "{company} is sending {visitors}: please count {seats} for them besides the participants.",
        "Besides [our own people|the participants] there will be {visitors} from {company} in the room.",
        "Don't forget {visitors} from {company}: [the room has to seat them as well|they need {seats} too].",
        "The room must also [hold|seat] {visitors} from {company}.",
        "Also in the room with us: {visitors} from {company}.",
    ),
    (
        "The number [of visitors|from outside] has changed: [we expect |]{visitors} in all now.",
        "Correction of the [seats|guest list]: {visitors} in total will [sit|be] in the room with us.",
        "[It's|We'll have] {visitors} from outside altogether instead of the number we had.",
        "[Forget|Scrap] the earlier number from outside, [we now expect|it's now] {visitors} in total.",
        "Please [plan|count seats] for {visitors} altogether, not for the number given before.",
        "New head count of people from outside, replacing the old one: {visitors} in all.",
    ),
)

NO_GUESTS = Forms(
    (
        "There will be no [visitors|guests] from outside.",
        "No external guests [this time|here], only our own people need seats.",
        "Nobody from outside [joins|comes], so no extra seats.",
        "We have no guests in this one.",
        "No visitors to seat besides the participants.",
        "Seats for the participants are enough: no guests.",
    ),
    (
        "The visitors have cancelled, nobody comes from outside any more.",
        "Correction [for|of] the seats: no guests from outside after all.",
        "[Forget|Scrap] the visitors, there will be no guests now.",
        "The guests [dropped out|can't make it], so no extra seats.",
        "Change of plan: no visitors at all from outside.",
        "The people from outside won't come after all, so no guests.",
    ),
)

EQUIPMENT = Forms(
    (
        "The room [needs|has to have|must have] {items}.",
        "We can't do without {items} in the room.",
        "Please make sure that the room has {items}.",
        "Only a room with {items} will do.",
        "It must be a room [that has|with] {items}.",
        "[Equipment required|Equipment needed|Needed in the room|Required in the room]: {items}.",
        "For the demo we depend on {items}, so [only a room equipped accordingly will do|please pick a room equipped for that].",
    ),
    (
        "The room [also needs|must also have|also has to have] {items}.",
        "Also [needed|required] in the room: {items}.",
        "Please make sure that the room has {items} as well.",
        "I forgot the equipment, we depend on {items} too.",
        "On top of what we said, the room [must have|needs] {items}.",
        "[Additional|Further] equipment required: {items}.",
    ),
)

SITE = Forms(
    (
        "The room [has to|must] be at {site}.",
        "We [meet|are meeting] at {site}, so only rooms there[|, please].",
        "[Site|Place|Location]: {site}, nothing else.",
        "Please [take|find|book] a room at {site}.",
        "Only rooms at {site} [are any use|will do], [not those elsewhere|nothing elsewhere].",
        "It must be [in one of the rooms|a room] at {site}.",
        "Only {site} is possible as a site.",
    ),
    (
        "Change of place: the room [has to|must] be at {site} now.",
        "Correction of the [site|place]: {site}.",
        "[Forget|Scrap] the site from before, we [meet|are meeting] at {site}.",
        "We moved it, please take a room at {site} instead.",
        "New site, replacing the old one: {site}.",
        "After all it must be [in one of the rooms|a room] at {site}.",
    ),
)

TIE_BREAK = Forms(
    (
        "If several rooms are free at the same time, [this is the order|rank them like this|take them in this order]: {keys}.",
        "Where more than one room fits a time, please [rank|order|list] them: {keys}.",
        "Several rooms for one time? Then {keys}[|, please].",
        "[Order|Ranking] of [|the ]rooms within the same time: {keys}.",
        "For rooms that tie on the time: {keys}.",
        "When a time has a choice of rooms, [order them|rank them]: {keys}.",
        "Among the rooms of one time slot[, please|]: {keys}.",
    ),
    (
        "Change of the room order: within the same time, {keys}.",
        "[Forget|Scrap] the earlier room preference; if several rooms are free at the same time, {keys}.",
        "Correction: where more than one room fits a time, {keys}.",
        "New ranking of rooms, replacing the old one: {keys} within the same time.",
        "We'd rather have the rooms of one time ordered differently: {keys}.",
        "[Scrap|Forget] the room order from before. Order of rooms within the same time: {keys}.",
    ),
)

KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "capacity_ascending": "[smallest room first|the room with the fewest seats first|lowest capacity first|fewest seats first]",
        "capacity_descending": "[largest room first|the room with the most seats first|highest capacity first|most seats first]",
        "floor_ascending": "[lowest floor first|the room on the lower floor first|lower floors before higher ones]",
        "floor_descending": "[highest floor first|the room on the higher floor first|higher floors before lower ones]",
        "name_ascending": "[room names in alphabetical order|rooms alphabetically by name|alphabetically by the name of the room]",
    }
)
NEXT_KEY: Final = "[, then |, and if that is equal, |; among equals, ]"

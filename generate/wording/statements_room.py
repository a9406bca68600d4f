"""The phrasings of a meeting's room requirements and tie-breaks."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mpcbench.generate.wording.statements_meeting import Forms

GUESTS = Forms(
    (
        "{visitors} from {company} will [join us|be with us|be there], so we need {seats} for them too.",
        "[Please count|Please plan|Please add] {seats} for {visitors} from {company}, on top of the participants.",
        "We'll have {visitors} from {company} with us, and the room has to seat them too.",
        "{company} is sending {visitors}, so please count {seats} for them besides ours.",
        "[Besides|In addition to] the participants there will be {visitors} from {company} in the room.",
        "Don't forget {visitors} from {company}, who will need {seats} in the room [as well|too].",
        "The room [must also seat {visitors} from {company}|has to seat {visitors} from {company} as well].",
        "We're expecting {visitors} from {company}, so the room has to be big enough for us and them.",
        "{visitors} from {company} will [sit in|be in the room], on top of the participants.",
        "There must be seats for the participants and for {visitors} from {company}.",
        "We've invited {visitors} from {company}, who will need {seats} [too|as well].",
    ),
    (
        "The visitor numbers have changed, [we now expect|please count {seats} for] {visitors} in all.",
        "[On second thoughts|Change of plan], [we're expecting|please count {seats} for] {visitors} in total.",
        "We'll now have {visitors} altogether.",
        "[Forget|Scrap] the earlier number of guests, [we now expect|please count {seats} for] {visitors} in all.",
        "Please [plan|count] {seats} for {visitors} in total, [our plans|things] have changed.",
        "The guest list has changed, there will now be {visitors} in the room besides the participants.",
        "It's {visitors} now, not the number [mentioned|given] before.",
        "The number of guests was wrong, [we expect|it's] {visitors} in all.",
        "Besides the participants, the room now has to seat {visitors} in all.",
        "We have a new number, it's now {visitors} in all.",
    ),
)

NO_GUESTS = Forms(
    (
        "There will be no [visitors|guests][| from outside].",
        "[We're expecting|We'll have|We have] no [visitors|guests] for this one.",
        "Nobody from outside [will be there|is coming], so only the participants need seats.",
        "Nobody from outside will join us[|, so we need no extra seats].",
        "Only the participants need seats, [we have|there will be] no [guests|visitors].",
        "Seats for the participants are enough, [there will be|we have] no guests.",
        "The room only has to seat the participants, [there will be|we have] no visitors.",
        "No [visitors|guests] will join us[| for this one].",
        "No guests have been invited, so only the participants need seats.",
    ),
    (
        "The visitors have cancelled, nobody from outside is coming any more.",
        "[On second thoughts|Change of plan], there will be no [guests|visitors][ from outside|] after all.",
        "[Forget|Scrap] the visitors, there will be no guests now.",
        "The guests have [dropped out|cancelled], so nobody from outside will be there.",
        "Nobody from outside [is coming|will join us] after all.",
        "The outside group won't come after all, so we'll have no [guests|visitors].",
        "We'll have no [guests|visitors] after all[|, so only the participants need seats].",
        "The visit is off, so there will be no [guests|visitors].",
        "We're among ourselves now, there will be no [guests|visitors].",
        "It's only the participants now, there will be no [guests|visitors].",
    ),
)

EQUIPMENT = Forms(
    (
        "The room [needs|has to have|must have] {items}.",
        "We can't do without {items} in the room.",
        "Please make sure that the room has {items}.",
        "Only a room with {items} will do.",
        "It [must|has to] be a room [that has|with] {items}.",
        "Please [pick|choose|take] a room [that has|with] {items}.",
        "We['ll|] need {items} in the room.",
        "On the day we['ll|] need {items} in the room.",
        "The meeting needs a room [that has|with] {items}.",
        "Whichever room it is, it [must|has to] have {items}.",
        "We'll be using {items}, so the room has to be equipped for that.",
        "We depend on {items}, so please pick a room equipped for that.",
    ),
    (
        "The room [also needs|must also have|also has to have] {items}.",
        "We['ll|] also need {items} in the room.",
        "Please make sure that the room has {items} as well.",
        "We forgot some of the equipment, [we need|we'll need] {items} in the room [too|as well].",
        "On top of what we said, the room [must have|needs] {items}.",
        "It [must|has to] be a room [with|that has] {items} as well.",
        "[One more thing|In addition], the room [needs|must have|has to have] {items}.",
        "Please [pick|choose|take] a room that also has {items}.",
        "We can't do without {items} in the room either.",
        "We'll be using {items} too, so the room has to be equipped for that as well.",
        "Whichever room it is, it must also have {items}.",
    ),
)

SITE = Forms(
    (
        "The room [has to|must] be at {site}.",
        "We [meet|are meeting] at {site}, so [only rooms there will do|please take a room there].",
        "Please [take|find|book] a room at {site}.",
        "Only rooms at {site} [are any use|will do].",
        "It must be [one of the rooms|a room] at {site}.",
        "Only {site} works for us.",
        "We [want|have|need] to meet at {site}, nowhere else.",
        "[The meeting|This one] [has to|must] be at {site}, so [please take a room there|only rooms there will do].",
        "Please look only at rooms at {site}.",
        "[The meeting|This one] will be held at {site}, nowhere else.",
        "{site} only, please.",
    ),
    (
        "[Change of place|On second thoughts], the room [has to|must] be at {site} now.",
        "The site has changed, [please take a room at|we're now meeting at] {site}.",
        "[Forget|Scrap] the site from before, we [meet|are meeting] at {site}.",
        "We moved [it|the meeting], please take a room at {site} instead.",
        "After all it must be [one of the rooms|a room] at {site}.",
        "Please take a room at {site}, not at the site given before.",
        "The site was wrong, [we meet|we're meeting] at {site}.",
        "Only rooms at {site} will do now.",
        "The site has changed, only {site} works for us now.",
        "The meeting has moved, and the room must be at {site} now.",
        "We're now meeting at {site}, not at the site given before.",
    ),
)

TIE_BREAK = Forms(
    (
        "If several rooms are free at the same time, [rank them|please rank them] {keys}.",
        "Where more than one room fits a time, [rank the rooms|please rank them] {keys}.",
        "[Rooms for the same time|Rooms that fit the same time] [are|should be] ranked {keys}.",
        "For the same time slot, [rank the rooms|please rank the rooms] {keys}.",
        "When there's a choice of rooms for a time, [rank them|please rank them] {keys}.",
        "Among rooms for the same time, [rank|please rank] {keys}.",
        "For [each time|every time], please rank the [suitable|possible] rooms {keys}.",
        "[Please rank|Rank] the rooms that fit the same time {keys}.",
        "Should [several rooms|more than one room] [fit|be free at] the same time, rank them {keys}.",
        "If a time has several free rooms, they [should be|are to be] ranked {keys}.",
    ),
    (
        "The ranking of rooms has changed, for the same time slot it now [goes|is] {keys}.",
        "[Forget|Scrap] the earlier ranking of rooms; if several are free at the same time, rank them {keys}.",
        "[On second thoughts|Change of plan], where more than one room fits a time, rank them {keys}.",
        "We've changed our minds about the rooms; for the same time slot, [rank|please rank] them {keys}.",
        "Instead of the earlier ranking, [please rank|we'd like to rank] the rooms for the same time {keys}.",
        "We'd [rather|now rather] have the rooms for the same time ranked {keys}.",
        "The earlier ranking of rooms is off, please rank rooms for the same time {keys}.",
        "The ranking of rooms was wrong; for each time, [rank|please rank] the suitable rooms {keys}.",
        "Rooms for the same time are now ranked {keys}, not as we said before.",
        "Please change the ranking of rooms, for the same time it's now {keys}.",
        "After all we want rooms for the same time ranked {keys}.",
    ),
)

KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "capacity_ascending": "by [seats, fewest first|capacity, lowest first|seating capacity, lowest first|number of seats, fewest first]",
        "capacity_descending": "by [seats, most first|capacity, highest first|seating capacity, highest first|number of seats, most first]",
        "floor_ascending": "by floor, [lowest first|lower floors before higher ones|from the bottom up]",
        "floor_descending": "by floor, [highest first|higher floors before lower ones|from the top down]",
        "name_ascending": "[by name, in alphabetical order|alphabetically by name|by name, from A to Z]",
    }
)
NEXT_KEY: Final = "[, then |, and where that is equal, |; where that is equal, ]"

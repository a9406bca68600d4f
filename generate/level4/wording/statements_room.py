"""The phrasings of what a meeting needs of a room, and of plans."""

from collections.abc import Mapping
from typing import Final

from mpcbench.generate.level4.wording.frames import Bodies

ROOM: Final[Mapping[str, Bodies]] = {
    "guests": Bodies(
        clauses=(
            "{visitors} in all will join {it}",
            "there will be {visitors} in all at {it}",
            "we're expecting {visitors} in all for {it}",
            "the room for {it} also has to seat {visitors} in all",
        ),
        actions=(
            "count in {visitors} in all for {it}",
            "[plan|count] seats for {visitors} in all at {it}",
            "reckon with {visitors} in all at {it}",
        ),
    ),
    "no_guests": Bodies(
        clauses=(
            "there will be no [guests|visitors] from outside at {it}",
            "nobody from outside will join {it}",
            "{it} has no guests from outside",
        ),
        actions=(
            "plan {it} without guests from outside",
            "count no seats for guests at {it}",
        ),
    ),
    "seats": Bodies(
        clauses=(
            "the room for {it} [needs|must have] at least {seats}",
            "we need at least {seats} for {it}",
            "the room for {it} has to have {seats} or more",
        ),
        actions=(
            "take a room with at least {seats} for {it}",
            "[book|reserve] a room with {seats} or more for {it}",
        ),
    ),
    "tie_break": Bodies(
        clauses=(
            "rooms for {it} at the same time are ranked {keys}",
            "among rooms for {it} at the same time the ranking goes {keys}",
        ),
        actions=(
            "rank the rooms for {it} within the same time {keys}",
            "list rooms for {it} that fit the same time {keys}",
        ),
    ),
    "equipment": Bodies(
        clauses=(
            "the room for {it} [needs|must have|has to have] {items}",
            "we need {items} in the room for {it}",
            "{it} needs a room that has {items}",
        ),
        actions=(
            "take a room for {it} that has {items}",
            "make sure that the room for {it} has {items}",
        ),
    ),
    "equipment_of": Bodies(
        clauses=(
            "the room for {it} needs the same equipment as the one for {other}",
            "we need all the equipment of {other} for {it}",
        ),
        actions=(
            "take a room for {it} with all the equipment of {other}",
            "plan the same equipment for {it} as for {other}",
        ),
    ),
    "site": Bodies(
        clauses=(
            "the room for {it} [has to|must] be at {site}",
            "{it} [takes place|is held] at {site}",
        ),
        actions=(
            "hold {it} at {site}",
            "take a room for {it} at {site}",
            "meet at {site} for {it}",
        ),
    ),
    "site_of": Bodies(
        clauses=(
            "the room for {it} has to be at the same site as the one for {other}",
            "{it} takes place at the site of {other}",
        ),
        actions=(
            "hold {it} at the same site as {other}",
            "take a room for {it} at the site of {other}",
        ),
    ),
    "agenda": Bodies(
        clauses=(
            "the agenda of {this} is, in this order, {meetings}",
            "{this} [has|consists of] these meetings, in this order, {meetings}",
        ),
        actions=(
            "put on the agenda of {this}, in this order, {meetings}",
            "place the meetings of {this} in this order, {meetings}",
        ),
    ),
    "after_meeting": Bodies(
        clauses=(
            "{it} can only [start|begin] once {other} is over",
            "{other} has to be over before {it} [starts|begins]",
        ),
        actions=(
            "[start|begin] {it} only after the end of {other}",
            "put {it} after the end of {other}",
        ),
    ),
    "daily_limit": Bodies(
        clauses=(
            "nobody [takes part in|attends] more than {count} of {this} [a|per] day",
            "{count} of {this} [a|per] day is the limit for anybody",
        ),
        actions=(
            "give nobody more than {count} of {this} [a|per] day",
            "limit everybody to {count} of {this} [a|per] day",
        ),
    ),
}
"""By kind of statement."""

"""The phrasings of when a meeting may take place."""

from collections.abc import Mapping
from typing import Final

from mpcbench.generate.level4.wording.frames import Bodies

TIME: Final[Mapping[str, Bodies]] = {
    "window": Bodies(
        clauses=(
            "{it} [is to happen|takes place|is planned for] some time {days}, {daily}",
            "the [window|time frame] for {it} is {days}, {daily}",
            "we want to hold {it} some time {days}, {daily}",
        ),
        actions=(
            "[find|look for] a time for {it} {days}, {daily}",
            "[hold|schedule] {it} some time {days}, {daily}",
            "look for times for {it} {days}, {daily}",
        ),
    ),
    "deadline": Bodies(
        clauses=(
            "{it} [has to|must] be over by {moment}",
            "{it} must end no later than {moment}",
            "the latest possible end of {it} is {moment}",
        ),
        actions=(
            "[finish|end] {it} no later than {moment}",
            "[finish|end] {it} by {moment}",
            "have {it} over by {moment}",
        ),
    ),
    "not_before": Bodies(
        clauses=(
            "{it} [can't|cannot|must not] [start|begin] before {moment}",
            "the earliest possible start of {it} is {moment}",
            "{it} [starts|begins] no earlier than {moment}",
        ),
        actions=(
            "[start|begin] {it} no earlier than {moment}",
            "keep {it} from starting before {moment}",
            "rule out any start of {it} before {moment}",
        ),
    ),
    "ban_window": Bodies(
        clauses=(
            "we [can't|cannot] hold {it} {span}, not even in part",
            "no part of {it} may fall {between}",
            "times {between} are ruled out for {it}, even in part",
        ),
        actions=(
            "rule out times {between} for {it}, even in part",
            "keep {it} clear of times {between}",
            "keep every part of {it} away from times {between}",
        ),
    ),
    "required_window": Bodies(
        clauses=(
            "the whole of {it} [has to|must] [lie|fall] {between}",
            "{it} only works {between}, from start to finish",
            "only times {between} will do for the whole of {it}",
        ),
        actions=(
            "limit the whole of {it} to times {between}",
            "hold the whole of {it} {between}",
        ),
    ),
    "another_window": Bodies(
        clauses=(
            "the whole of {it} may also [lie|fall] {between}",
            "times {between} will do for the whole of {it}, too",
            "{it} also works {between}, from start to finish",
        ),
        actions=("also allow times {between} for the whole of {it}",),
    ),
    "after_entry": Bodies(
        clauses=(
            "{it} can only [start|begin] once {event} is over",
            "{it} has to wait for the end of {event}",
            "{event} has to be over before {it} [starts|begins]",
        ),
        actions=(
            "[start|begin] {it} only after the end of {event}",
            "put {it} after the end of {event}",
        ),
    ),
    "tentative_block": Bodies(
        clauses=(
            "tentative entries count as busy for {it}",
            "tentative appointments take up time for {it}",
        ),
        actions=(
            "treat tentative entries as busy for {it}",
            "respect tentative entries for {it}",
            "work around tentative entries for {it}",
        ),
    ),
    "tentative_free": Bodies(
        clauses=(
            "tentative entries don't count as busy for {it}",
            "tentative appointments don't take up time for {it}",
        ),
        actions=(
            "treat tentative entries as free for {it}",
            "ignore tentative entries for {it}",
            "plan over tentative entries for {it}",
        ),
    ),
}
"""By kind of statement."""

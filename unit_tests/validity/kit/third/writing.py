"""Right options that were written down wrongly."""

from datetime import datetime, timedelta, timezone
from functools import partial

from mpcbench.benchmark.agents.reference.facts import Facts
from mpcbench.benchmark.agents.reference.grammar_time import Moment
from mpcbench.benchmark.agents.reference.integrate import Option
from unit_tests.validity.kit.core import Mind, flawed
from unit_tests.validity.kit.third.steps import NOON, written
from unit_tests.validity.kit.tools import all_options, at, length_of

_MOST = 3


def _last_lost(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Loses the last of five or more options."""
    return options[:-1] if len(options) >= 5 else options


def _top_three(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Gives three options, however many are asked for."""
    return options[:_MOST]


def _one_more(_: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Gives one option more than asked for, to be on the safe side."""
    for number, option in enumerate(all_options(facts)):
        if number == len(options):
            return [*options, option]
    return options


def _second_skipped(_: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Skips the second option, and fills up with the next one after the last."""
    if len(options) < 3:
        return options
    more = _one_more(_, facts, options)
    return [option for place, option in enumerate(more) if place != 1]


def _first_repeated(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Repeats the first option in the place of the last."""
    return [*options[:-1], options[0]] if len(options) > 1 else options


def _shifted(option: Option, by: timedelta) -> Option:
    return option._replace(start=option.start + by, end=option.end + by)


def _day_carried_over(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Writes one option on the day of the option before it, where that is another day."""
    places = [
        place for place in range(1, len(options)) if options[place].start.date() != options[place - 1].start.date()
    ]
    if not places:
        return options
    place = mind.rng.choice(places)
    by = options[place - 1].start.date() - options[place].start.date()
    return [*options[:place], _shifted(options[place], by), *options[place + 1 :]]


def _last_on_next_day(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Writes the last option on the day after."""
    return [*options[:-1], *(_shifted(option, timedelta(days=1)) for option in options[-1:])]


def _one_hour_early(mind: Mind, _: Facts, options: list[Option]) -> list[Option]:
    """Writes one option an hour early."""
    if not options:
        return options
    place = mind.rng.randrange(len(options))
    return [*options[:place], _shifted(options[place], timedelta(hours=-1)), *options[place + 1 :]]


def _afternoons_in_12_hours(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Writes one o'clock p.m. and later times of the day without their p.m."""
    return [_shifted(option, timedelta(hours=-12)) if option.start.hour * 60 > NOON else option for option in options]


def _winter_offset(_: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Writes the offset of the window's first day behind all times."""
    assert facts.request.window is not None
    offset = datetime.fromtimestamp(at(Moment(facts.request.window.days.first, 0), facts.zone) * 60, facts.zone)
    first = timezone(offset.utcoffset() or timedelta())
    return [
        option._replace(start=option.start.replace(tzinfo=first), end=option.end.replace(tzinfo=first))
        for option in options
    ]


def _rooms_moved(_: Mind, __: Facts, options: list[Option]) -> list[Option]:
    """Writes the room of the next option behind each."""
    rooms = [option.room_id for option in options]
    return [option._replace(room_id=room) for option, room in zip(options, rooms[1:] + rooms[:1], strict=True)]


def _end_is_next_start(_: Mind, facts: Facts, options: list[Option]) -> list[Option]:
    """Writes the start of the next option for the end of one that lasts longer than until then."""
    length = timedelta(minutes=length_of(facts.request))
    return [
        option._replace(end=later.start) if timedelta() < later.start - option.start < length else option
        for option, later in zip(options, [*options[1:], options[-1]] if options else [], strict=True)
    ]


_agent = partial(flawed, lead="The option with what was written")

_FEW = ("integration.count:too_few", "integration.value_wrong:option_count")
_SLIP = "integration.candidate_slip"
_ONE_WRONG = "observed.one_wrong"

LAST_LOST = written(_last_lost)
TOP_THREE = written(_top_three)
SECOND_SKIPPED = written(_second_skipped)
ROOMS_MOVED = written(_rooms_moved)
CARRIED_OVER = written(_day_carried_over)

AGENTS = (
    _agent("k4-last-of-five-lost", _last_lost.__doc__ or "", LAST_LOST, _FEW, "observed.wrong_number:too_few"),
    _agent("k4-top-three", _top_three.__doc__ or "", TOP_THREE, _FEW, "observed.wrong_number:too_few"),
    _agent(
        "k4-one-more",
        _one_more.__doc__ or "",
        written(_one_more),
        ("integration.count:too_many", "integration.value_wrong:option_count"),
        "observed.wrong_number:too_many",
    ),
    _agent(
        "k4-second-skipped",
        _second_skipped.__doc__ or "",
        SECOND_SKIPPED,
        (),
        "observed.passed_over",
        _ONE_WRONG,
    ),
    _agent(
        "k4-first-repeated",
        _first_repeated.__doc__ or "",
        written(_first_repeated),
        (),
        _ONE_WRONG,
        "observed.wrong_number:too_few",
        "integration.count:too_few",
        _SLIP,
    ),
    _agent(
        "k4-day-carried-over",
        _day_carried_over.__doc__ or "",
        CARRIED_OVER,
        (f"{_SLIP}:day", f"{_SLIP}:week", f"{_SLIP}:month"),
        _SLIP,
        _ONE_WRONG,
        single=True,
    ),
    _agent(
        "k4-last-on-next-day",
        _last_on_next_day.__doc__ or "",
        written(_last_on_next_day),
        (f"{_SLIP}:day",),
        single=True,
    ),
    _agent(
        "k4-one-hour-early", _one_hour_early.__doc__ or "", written(_one_hour_early), (f"{_SLIP}:hour",), single=True
    ),
    _agent(
        "k4-afternoons-in-12-hours",
        _afternoons_in_12_hours.__doc__ or "",
        written(_afternoons_in_12_hours),
        ("integration.value_wrong:half_day", f"{_SLIP}:half_day"),
    ),
    _agent(
        "k4-winter-offset",
        _winter_offset.__doc__ or "",
        written(_winter_offset),
        ("integration.value_wrong:offset",),
        f"{_SLIP}:hour",
    ),
    _agent(
        "k4-rooms-moved-up",
        _rooms_moved.__doc__ or "",
        ROOMS_MOVED,
        (f"{_SLIP}:room",),
        "observed.condition_broken:bookings",
        "observed.passed_over:room",
        levels=(3,),
    ),
    _agent(
        "k4-end-is-next-start",
        _end_is_next_start.__doc__ or "",
        written(_end_is_next_start),
        (f"{_SLIP}:minutes", "integration.value_wrong:duration"),
    ),
)
"""The agents of this module."""

"""The reference agent's grammar: values, sentences, policies and who speaks of which meeting."""

from datetime import date, datetime, timedelta
from typing import Any

import pytest

from mpcbench.benchmark.agents.reference.conversation import statements_about
from mpcbench.benchmark.agents.reference.facts import (
    EventName,
    Heard,
    Kind,
    Message,
    PersonName,
    PolicyCall,
    Request,
    Window,
    request_of,
)
from mpcbench.benchmark.agents.reference.grammar_meeting import read_statements
from mpcbench.benchmark.agents.reference.grammar_policy import (
    InsideHours,
    OutsideHours,
    Pause,
    RoomPause,
    Rule,
    read_rules,
    rule_of_item,
    section_of,
)
from mpcbench.benchmark.agents.reference.grammar_task import read_task, read_zone
from mpcbench.benchmark.agents.reference.grammar_time import Days, Hours, Moment, Span, reduce_lengths, reduce_times
from mpcbench.benchmark.agents.reference.lexicon import ReadingError, Reduced
from mpcbench.benchmark.agents.reference.mentions import Meeting
from mpcbench.generate.wording.choices import every
from mpcbench.generate.wording.thread_talk import HEARSAY_LENGTHS, HEARSAY_POLICIES

TODAY = date(2027, 1, 20)
TUESDAY = date(2027, 2, 9)
ADA = PersonName("Ada Byron")
BEN = PersonName("Ben Cole", "Design")


def reduced(text: str) -> tuple[str, list[Any]]:
    """The text with tokens for times and lengths, and the value of the last token."""
    result = Reduced(text)
    reduce_times(result, TODAY)
    reduce_lengths(result)
    return result.text, result.values[-1:]


class TestValues:
    @pytest.mark.parametrize(
        "text",
        [
            *("2027-02-09", "Tuesday 9 February", "Tuesday, 9 February", "Tuesday, February 9", "Tue 9 Feb"),
            *("Tue, Feb 9", "9 February", "February 9", "Tuesday the 9th of February", "Tuesday, February 9, 2027"),
        ],
    )
    def test_a_day_is_read_in_every_style(self, text: str) -> None:
        """All ways to write one day give the day."""
        tokens, values = reduced(f"It is on {text}.")

        assert ("It is on «day:0».", [TUESDAY]) == (tokens, values)

    def test_a_day_without_a_year_is_the_nearest(self) -> None:
        """In January, a day of December is that of the year before."""
        assert [date(2026, 12, 28)] == reduced("since 28 December")[1]

    @pytest.mark.parametrize("text", ["Monday 9 February", "31 February", "2027-13-01"])
    def test_a_day_that_cannot_be_is_a_fault(self, text: str) -> None:
        """A wrong weekday or a day that no month has is not guessed at."""
        with pytest.raises(ReadingError):
            reduced(text)

    @pytest.mark.parametrize(
        ("text", "minute"),
        [
            ("08:00", 480),
            ("8:30", 510),
            ("8 am", 480),
            ("12:30 pm", 750),
            ("noon", 720),
            ("24:00", 1440),
            ("5:45pm", 1065),
        ],
    )
    def test_a_time_is_read_in_every_style(self, text: str, minute: int) -> None:
        """All ways to write a time give its minute of the day."""
        assert [minute] == reduced(f"at {text}: fine")[1]

    @pytest.mark.parametrize(
        ("text", "minutes"),
        [
            *(
                ("90 minutes", 90),
                ("an hour and a half", 90),
                ("1.5 hours", 90),
                ("1h30", 90),
                ("one hour and 30 minutes", 90),
            ),
            *(("half an hour", 30), ("three quarters of an hour", 45), ("a quarter of an hour", 15), ("an hour", 60)),
            *(("two hours", 120), ("two and a half hours", 150), ("45 min", 45), ("2h15", 135)),
        ],
    )
    def test_a_length_is_read_in_every_style(self, text: str, minutes: int) -> None:
        """All ways to write a length give its minutes."""
        assert ("It takes «length:0».", [minutes]) == reduced(f"It takes {text}.")

    @pytest.mark.parametrize(
        "text",
        [
            *("on 9 February, 9:00-13:00", "on Tue 9 Feb between 9 am and 1 pm", "from 9:00 until 13:00 on February 9"),
            *("from 9:00 on 9 February until 13:00 on 9 February", "between 9:00 on 9 Feb and 13:00 on 9 Feb"),
        ],
    )
    def test_a_span_is_read_in_every_style(self, text: str) -> None:
        """All ways to write one morning give the span."""
        assert [Span(Moment(TUESDAY, 540), Moment(TUESDAY, 780))] == reduced(text)[1]

    @pytest.mark.parametrize(
        "text",
        [
            "in the stretch from 9:00 on 9 February straight through to 13:00 on 11 February, nights included",
            "in the stretch from Tuesday 9 February, 9:00, straight through to Thursday 11 February, 13:00, nights included",
            "from 9 February at 9 am right through to 11 February at 1 pm (nights included)",
        ],
    )
    def test_a_span_over_nights_is_one_span(self, text: str) -> None:
        """What includes the nights runs from the first moment to the last."""
        assert [Span(Moment(TUESDAY, 540), Moment(date(2027, 2, 11), 780))] == reduced(text)[1]


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "statement"),
        [
            ("The meeting should last half an hour.", Heard(Kind.LENGTH, 30)),
            ("Please come back with four options.", Heard(Kind.COUNT, 4)),
            (
                (
                    "We can meet from 9 February up to and including 10 February, "
                    "each day starting no earlier than 9:00 and ending no later than 17:00."
                ),
                Heard(Kind.WINDOW, Window(Days(TUESDAY, date(2027, 2, 10)), Hours(540, 1020))),
            ),
            (
                "The window is on 9 February, around the clock.",
                Heard(Kind.WINDOW, Window(Days(TUESDAY, TUESDAY), None)),
            ),
            ("Those attending are Ada Byron and Ben Cole from Design.", Heard(Kind.PEOPLE, [ADA, BEN])),
            ("Ben Cole from Design is joining us for this one.", Heard(Kind.JOINS, BEN)),
            ("After all we do need Ada Byron in the meeting, so please send an invitation.", Heard(Kind.JOINS, ADA)),
            ("After all Ada Byron won't attend, so please remove that name.", Heard(Kind.LEAVES, ADA)),
            ("The room must also seat 7 visitors from Kestrel Partners.", Heard(Kind.GUESTS, 7)),
            ("Nobody from outside comes, so only the participants need seats.", Heard(Kind.GUESTS, 0)),
            (
                "When you pick the times for this meeting, please observe POL-04 (in DOC-02).",
                Heard(Kind.POLICY, PolicyCall("POL-04", "DOC-02")),
            ),
            ("It has to be over by noon on 9 February.", Heard(Kind.DEADLINE, Moment(TUESDAY, 720))),
            (
                "The earliest possible start of the meeting is 2027-02-09 13:00.",
                Heard(Kind.NOT_BEFORE, Moment(TUESDAY, 780)),
            ),
            (
                "We can't meet on 9 February (at any hour).",
                Heard(Kind.BAN, Span(Moment(TUESDAY, 0), Moment(TUESDAY, 1440))),
            ),
            (
                "The whole meeting must fall between 9:00 and 10:00 on 9 February.",
                Heard(Kind.REQUIRED, Span(Moment(TUESDAY, 540), Moment(TUESDAY, 600))),
            ),
            (
                "Ada Byron's 'Supplier audit' on 9 February also has to be finished before the meeting starts.",
                Heard(Kind.AFTER, EventName(ADA, "Supplier audit", TUESDAY)),
            ),
            ("Please don't take the earliest options but the latest ones.", Heard(Kind.LATEST, True)),
            ("The sooner we meet, the better, so pick the earliest possible options.", Heard(Kind.LATEST, False)),
            (
                "Rooms for the same time are ranked by seating capacity, highest first, then alphabetically by name.",
                Heard(Kind.ROOM_ORDER, ("-capacity", "name")),
            ),
            (
                "The room needs a projector and video conferencing.",
                Heard(Kind.EQUIPMENT, ["projector", "video conferencing"]),
            ),
            ("We meet at Mill Lane, so only rooms there will do.", Heard(Kind.SITE, "Mill Lane")),
        ],
    )
    def test_a_statement_is_read(self, text: str, statement: Heard) -> None:
        """A sentence gives exactly the statement that it makes."""
        assert [statement] == read_statements(text, TODAY)

    @pytest.mark.parametrize(
        ("text", "statement"),
        [
            ("I need to attend as well.", Heard(Kind.JOINS, BEN)),
            ("Please invite me too.", Heard(Kind.JOINS, BEN)),
            ("I'm out of this one.", Heard(Kind.LEAVES, BEN)),
            ("Please take me off the list.", Heard(Kind.LEAVES, BEN)),
            ("Those attending are Ada Byron and me.", Heard(Kind.PEOPLE, [ADA, BEN])),
            (
                "It can only start once the 'Demo' in my calendar on 9 February is over.",
                Heard(Kind.AFTER, EventName(BEN, "Demo", TUESDAY)),
            ),
        ],
    )
    def test_the_first_person_is_the_author(self, text: str, statement: Heard) -> None:
        """Who says "I", "me" or "my" is named by the message."""
        assert [statement] == read_statements(text, TODAY, "Ben Cole (Design)")

    @pytest.mark.parametrize(
        "text", ["Who takes the minutes?", "How many options do you want?", "Any equipment?", "+1"]
    )
    def test_talk_states_nothing(self, text: str) -> None:
        """Questions and chatter are no statements."""
        assert [] == read_statements(text, TODAY)

    def test_a_message_is_read_in_order(self) -> None:
        """Statements come in reading order, whatever their kind."""
        said = read_statements("Add Ada Byron. It takes 45 min.\nPlease take Ada Byron off the list.", TODAY)

        assert [Kind.JOINS, Kind.LENGTH, Kind.LEAVES] == [one.kind for one in said]


class TestPolicies:
    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            (
                (
                    "Until 2023 the core hours ran from 7:00 to 19:00. Only Mondays, Tuesdays and Fridays count as meeting "
                    "days, and on these a meeting must both begin and end between 10 am and 4:30 pm."
                ),
                InsideHours(Hours(600, 990), frozenset({0, 1, 4})),
            ),
            (
                (
                    "The lunch hours, noon to 1pm on Monday through Thursday, are closed to meetings. The canteen's serving "
                    "times, at present 11:15 to 14:15, are set by the caterer and do not define the break."
                ),
                OutsideHours(Hours(720, 780), frozenset({0, 1, 2, 3})),
            ),
            (
                "The block from 9:00 to 12:00 on Wednesdays is closed to meetings of every kind.",
                OutsideHours(Hours(540, 720), frozenset({2})),
            ),
            (
                (
                    "The edition of 2022 had asked for 40 minutes, a figure that no longer holds. Leave no less than half an "
                    "hour on either side between the meeting and everything else in the participants' calendars."
                ),
                Pause(30),
            ),
            (
                (
                    "A room is taken only if its previous booking ended at least 20 minutes before the meeting and its next "
                    "one starts at least 20 minutes after it."
                ),
                RoomPause(20),
            ),
        ],
    )
    def test_the_rule_in_force_is_read(self, text: str, rule: Rule) -> None:
        """History and exceptions are passed over."""
        assert [rule] == read_rules(text)

    def test_a_section_without_a_rule_is_a_fault(self) -> None:
        """A policy that says nothing readable is no policy without effect."""
        with pytest.raises(ReadingError, match="no rule can be read"):
            read_rules("Until 2023 the core hours ran from 7:00 to 19:00.")

    def test_an_unknown_sentence_about_hours_is_a_fault(self) -> None:
        """Hours that no pattern explains are not passed over."""
        with pytest.raises(ReadingError, match="cannot tell what the hours means"):
            read_rules("Nobody sings from 9:00 to 10:00. At least 10 minutes must be left free.")

    def test_a_section_is_found_by_its_id(self) -> None:
        """The heading with the ID begins the section, the next heading ends it."""
        document = (
            "# Rules (DOC-01)\n\n## POL-01: One\nFirst, unlike POL-02.\n\n## Two (POL-02)\nSecond.\n\n## Three\nThird."
        )

        assert "Second." == section_of(document, "POL-02").strip()

    def test_a_section_is_not_found_by_a_longer_id(self) -> None:
        """POL-13 is not in the heading of POL-130."""
        document = "# Rules (DOC-01)\n\n## POL-130: One\nFirst.\n\n## Two (POL-13)\nSecond."

        assert "Second." == section_of(document, "POL-13").strip()

    @pytest.mark.parametrize(
        ("item", "rule"),
        [
            (
                {"kind": "work_hours", "start": "10:00", "end": "16:30", "days": ["Monday", "Friday"]},
                InsideHours(Hours(600, 990), frozenset({0, 4})),
            ),
            (
                {"kind": "ban_dow_time", "start": "10:00", "end": "24:00", "day": "Sunday"},
                OutsideHours(Hours(600, 1440), frozenset({6})),
            ),
            ({"kind": "buffer_min", "minutes": 20}, Pause(20)),
            ({"kind": "room_turnaround", "minutes": 20}, RoomPause(20)),
        ],
    )
    def test_an_item_of_level_1_is_read(self, item: dict[str, Any], rule: Rule) -> None:
        """The JSON of a policy gives its rules."""
        assert rule == rule_of_item(item)


class TestTask:
    def test_a_bare_task_names_the_meeting(self) -> None:
        """At level 3 there is only the name, of however many words."""
        assert ("Heron pricing deep dive", ()) == read_task(
            "The Heron pricing deep dive needs to be placed. Please do."
        )

    def test_two_meetings_are_a_fault(self) -> None:
        """A task is about one meeting."""
        with pytest.raises(ReadingError, match="names 2 meetings"):
            read_task("Find the options for the Heron pricing review and for the Falcon pricing review, please.")

    def test_the_zone_stands_in_the_system_prompt(self) -> None:
        """The IANA name is read from the prompt."""
        assert "America/New_York" == read_zone(
            "Times are local times of the time zone America/New_York, unless stated."
        )


def said_in(*texts: str) -> list[Heard]:
    """What a thread of these messages says about the Heron review."""
    messages = [
        Message(datetime.fromisoformat(f"2027-01-20T09:{place:02}+00:00"), "T0001", place, text)
        for place, text in enumerate(texts)
    ]
    return statements_about(Meeting("Heron review"), messages)


class TestConversation:
    def test_another_meeting_that_is_named_takes_over(self) -> None:
        """What follows is read only after the meeting is named again."""
        assert [Heard(Kind.LENGTH, 30)] == said_in(
            "Let's plan the Heron review.",
            "And one for the Falcon pricing workshop, not this one: It takes 2 hours.",
            "It takes 45 minutes.",
            "For the Heron review: It takes 30 minutes.",
        )

    def test_a_thread_may_turn_to_the_meeting(self) -> None:
        """From there on it is about the meeting, until it turns away."""
        assert [Heard(Kind.LENGTH, 30), Heard(Kind.LENGTH, 60)] == said_in(
            "Let's plan the Falcon pricing workshop.",
            "It takes 45 minutes.",
            "Another meeting, the Heron review: It takes 30 minutes.",
            "It takes an hour.",
            "Separately, for the Falcon pricing workshop: It takes 2 hours.",
        )

    def test_hearsay_concerns_nobody(self) -> None:
        """Neither in the meeting's own thread nor elsewhere."""
        assert [Heard(Kind.LENGTH, 30)] == said_in(
            "Let's plan the Heron review. It takes 30 minutes.",
            "Someone told me the Heron review is down for an hour, no idea whether that's still current.",
        )

    @pytest.mark.parametrize("template", [*HEARSAY_LENGTHS, *HEARSAY_POLICIES])
    def test_all_hearsay_is_recognised(self, template: str) -> None:
        """In each of its wordings."""
        fields = {"name": "Heron review", "duration": "an hour", "policy": "POL-03", "organiser": "Ada Byron"}

        assert [] == [one for text in every(template) for one in said_in(text.format(**fields))]

    @pytest.mark.parametrize(("hour", "heard"), [(11, [Heard(Kind.LENGTH, 30)]), (35, [])])
    def test_earlier_today_is_the_day_of_the_message(self, hour: int, heard: list[Heard]) -> None:
        """It refers to what the author announced on that day, not to what they announced the day before."""
        first = datetime.fromisoformat("2027-01-20T00:00+00:00")
        said = "About the review I announced in #office earlier today: Make it 30 minutes."
        kickoff = Message(first + timedelta(hours=9), "T0001", 0, "Let's plan it.", "Ada Byron", "office")
        later = Message(first + timedelta(hours=hour), "T0002", 0, said, "Ada Byron", "growth")

        assert heard == statements_about(Meeting("Heron pricing review", (kickoff,)), [later])

    def test_messages_count_by_time_across_threads(self) -> None:
        """The later message wins even where its thread is read first."""
        early = Message(
            datetime.fromisoformat("2027-01-20T09:00+00:00"), "T0002", 0, "The Heron review: It takes 45 min."
        )
        late = Message(
            datetime.fromisoformat("2027-01-21T09:00+00:00"), "T0001", 0, "The Heron review: It takes 60 min."
        )

        assert Request(length=60) == request_of(statements_about(Meeting("Heron review"), [late, early]))


class TestRequest:
    def test_people_change_in_order(self) -> None:
        """Who was taken off and added again takes part, at the end of the list."""
        said = [
            Heard(Kind.PEOPLE, [ADA, BEN]),
            Heard(Kind.LEAVES, ADA),
            Heard(Kind.JOINS, ADA),
            Heard(Kind.JOINS, BEN),
        ]

        assert [BEN, ADA] == request_of(said).people

    def test_an_author_who_takes_part_already_does_not_join_twice(self) -> None:
        """Authors are known with their team, which the list of participants may leave out."""
        said = [Heard(Kind.PEOPLE, [ADA, PersonName("Ben Cole")]), Heard(Kind.JOINS, BEN)]

        assert [ADA, PersonName("Ben Cole")] == request_of(said).people

    def test_who_does_not_take_part_cannot_leave(self) -> None:
        """A removal that fits nobody was misread somewhere."""
        with pytest.raises(ReadingError, match="Ada Byron leaves"):
            request_of([Heard(Kind.PEOPLE, [BEN]), Heard(Kind.LEAVES, ADA)])

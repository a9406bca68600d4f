"""The reference agent on a small organisation: it finds the gold from text alone, and says so where it cannot read."""

import ast
import json
from datetime import datetime
from pathlib import Path

import pytest

import mpcbench.benchmark.agents.reference as package
from mpcbench.benchmark.agents.protocol import Budget, Task
from mpcbench.benchmark.agents.reference import ReadingError, reference
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.schema import Thread, World
from mpcbench.schema.episode import Finish, Reply
from mpcbench.schema.model import Level
from unit_tests.builders.small_worlds import ROOM_CALENDARS, ROOMS, ZONE, message, world

PROMPT = "You schedule meetings. All times are local times of the time zone Europe/London unless they say otherwise."
EXPLICIT = (
    "Please propose two options for the Heron pricing review. It takes 45 minutes and is for Ada Byron and Ben Cole. "
    "The window is from Monday 1 February 2027 through Tuesday 2 February 2027, between 9:00 and 17:00 on each day. "
    "Two sources count: the participants' calendars and policy POL-02."
)
COUNTED = (
    "Find two options for the Heron pricing review. Participants: Ada Byron and Ben Cole. "
    "Window: from 1 February 2027 to 2 February 2027 inclusive, 9:00-17:00 on each day. "
    "Three internal sources are needed."
)
BARE = "Find the options for the Heron pricing review, please."
KICKOFF = Thread(
    thread_id="T0101",
    channel="projects",
    messages=(
        message("01-20 09:00", "p001", "Kicking off the Heron pricing review. It will take half an hour."),
        message("01-20 09:10", "p002", "Fine with me, thanks."),
        message("01-20 09:20", "p001", "POL-02 (DOC-02) applies to this meeting."),
        message(
            "01-20 09:30", "p003", "Another meeting, the Falcon pricing review: It has to be over by 9:00 on 1 Feb."
        ),
    ),
)
LATER = Thread(
    thread_id="T0102",
    channel="random",
    messages=(
        message("01-22 09:00", "p002", "Update on the Heron pricing review: Make the meeting 45 minutes after all."),
        message("01-22 09:01", "p001", "We can't meet on Mon 1 Feb between 8:00 and 12:00."),
    ),
)
OTHER = Thread(
    thread_id="T0103",
    channel="projects",
    messages=(
        message("01-23 09:00", "p001", "Kicking off the Heron pricing workshop. It will take 2 hours."),
        message("01-23 09:02", "p001", "We can't meet on Mon 1 Feb between 12:00 and 18:00."),
        message("01-23 09:03", "p001", "I keep mixing this up with the Heron pricing review, am I the only one?"),
    ),
)
REFERRING = Thread(
    thread_id="T0104",
    channel="random",
    messages=(
        message("01-21 10:00", "p002", "About our Heron pricing meeting: Make the meeting an hour after all."),
        message("01-21 10:01", "p001", "OK, thanks."),
    ),
)
ATTENDED = Thread(
    thread_id="T0105",
    channel="random",
    messages=(
        message(
            "01-21 11:00",
            "p001",
            "Something came up for the pricing review that Ben Cole and I have in February. "
            "Make the meeting an hour after all.",
        ),
        message("01-21 11:01", "p002", "OK, thanks."),
    ),
)
QUOTING = Thread(
    thread_id="T0106",
    channel="random",
    messages=(
        message(
            "01-21 12:00",
            "p002",
            "On 20 January at 09:20 Ada Byron wrote:\n"
            "> POL-02 (DOC-02) applies to this meeting.\n"
            "To add to that: Make the meeting an hour after all.",
        ),
        message("01-21 12:01", "p001", "OK, thanks."),
    ),
)
ANNOUNCED = Thread(
    thread_id="T0107",
    channel="random",
    messages=(
        message(
            "01-21 13:00",
            "p001",
            "About the review I announced in #projects on Wednesday 20 January: Make the meeting an hour after all.",
        ),
        message("01-21 13:01", "p002", "OK, thanks."),
    ),
)
EARLIER = Thread(
    thread_id="T0108",
    channel="projects",
    messages=(
        message("01-20 09:00", "p001", "Kicking off the Heron pricing review. It will take 2 hours.").model_copy(
            update={"sent": datetime(2026, 10, 20, 9, tzinfo=ZONE)}
        ),
    ),
)
UNREAD = Thread(
    thread_id="T0109",
    channel="random",
    messages=(
        message("01-21 14:00", "p002", "About our Heron hiring meeting: Make that 2 hours after all."),
        message("01-21 14:01", "p002", "About the review I announced in #projects on 20 January: 3 hours."),
        message(
            "01-21 14:02",
            "p002",
            "Something came up for the pricing review that Ada Byron and Cara Dunn have in February. "
            "Make that 2 hours after all.",
        ),
        message(
            "01-21 14:03",
            "p002",
            "On 20 January at 09:20 Cara Dunn wrote:\n> POL-02 (DOC-02) applies to this meeting.\n"
            "To add to that: Make that 2 hours after all.",
        ),
    ),
)
ROOMY = Thread(
    thread_id="T0101",
    channel="projects",
    messages=(
        message(
            "01-20 09:00",
            "p001",
            "Kicking off the Heron pricing review. It's for Ada Byron from Platform and Ben Cole.",
        ),
        message("01-20 09:01", "p001", "It will take 45 minutes.\nPlease come back with 3 options."),
        message("01-20 09:02", "p001", "The window is on 1 February; each day between 9 am and 5 pm."),
        message("01-20 09:03", "p001", "POL-01 applies to this meeting. The room needs a projector."),
        message(
            "01-20 09:04", "p002", "Two guests from Orbital will join us in the room, so we need seats for them too."
        ),
        message("01-20 09:05", "p002", "Only Harbour is possible as a site."),
        message("01-20 09:06", "p001", "Rooms for the same time are ranked by seating capacity, highest first."),
        message(
            "01-20 09:07", "p001", "Nothing before Ada Byron from Platform's 'Stand-up' on 1 February has finished."
        ),
    ),
)
AMENDED = Thread(
    thread_id="T0102",
    channel="random",
    messages=(
        message(
            "01-22 09:00", "p002", "Amendment to the Heron pricing review: Please add Cara Dunn to the participants."
        ),
        message("01-22 09:01", "p002", "You can drop Ben Cole from the meeting."),
        message(
            "01-22 09:02", "p001", "Please plan seats for 15 visitors from outside, not for the number given before."
        ),
    ),
)


def organisation(level: Level, *threads: Thread) -> World:
    """The small organisation, talking of the meeting in these threads."""
    base = world(level)
    return World.model_validate({**dict(base), "threads": (*base.threads, *threads)})


def episode(where: World, text: str, *, max_turns: int = 30, tags: bool = False) -> tuple[Toolbox, Reply]:
    """The reference agent's reply, and the log of what it called."""
    toolbox = Toolbox(Sources(where, tags), tools_of_level(where.level))
    return toolbox, reference(Task("level1-000", PROMPT, text), toolbox, Budget(max_turns))


def options(reply: Reply) -> list[str]:
    """The starts, with the rooms where there are any."""
    return [
        " ".join(filter(None, (candidate["start"], candidate.get("room_id"))))
        for candidate in json.loads(reply.text)["candidates"]
    ]


class TestLevel1:
    def test_it_keeps_the_buffer_from_every_event(self) -> None:
        """The stand-up until 9:20 and ten minutes of buffer leave 9:30 as the first start."""
        _, reply = episode(organisation(1), EXPLICIT)

        assert ["2027-02-01T09:30:00+00:00", "2027-02-01T09:45:00+00:00"] == options(reply)
        assert "2027-02-01T10:15:00+00:00" == json.loads(reply.text)["candidates"][0]["end"]

    def test_it_uses_two_tools(self) -> None:
        """The minimal plan is the calendars and the one policy."""
        toolbox, _ = episode(organisation(1), EXPLICIT)

        assert {"get_calendar", "get_policy"} == {call.name for call in toolbox.log}
        assert not any(call.is_error for call in toolbox.log)


class TestLevel2:
    def test_it_follows_the_correction_and_the_ban_and_no_other_meeting(self) -> None:
        """45 minutes replace 30, the ban moves the start to noon, and other meetings' statements do not count."""
        _, reply = episode(organisation(2, KICKOFF, LATER, OTHER), COUNTED)

        assert ["2027-02-01T12:00:00+00:00", "2027-02-01T12:15:00+00:00"] == options(reply)
        assert "2027-02-01T12:45:00+00:00" == json.loads(reply.text)["candidates"][0]["end"]

    @pytest.mark.parametrize("thread", [REFERRING, ATTENDED, QUOTING, ANNOUNCED], ids=lambda thread: thread.thread_id)
    def test_follow_ups_need_not_name_the_meeting(self, thread: Thread) -> None:
        """Project and subject, people and week, a quotation, or where it was announced tell which meeting is meant."""
        kickoff = KICKOFF.messages[0]
        said = kickoff.model_copy(update={"text": f"{kickoff.text} Watch #random for changes."})
        opening = KICKOFF.model_copy(update={"messages": (said, *KICKOFF.messages[1:])})
        _, reply = episode(organisation(2, opening, thread, UNREAD, EARLIER), COUNTED)

        assert "2027-02-01T10:30:00+00:00" == json.loads(reply.text)["candidates"][0]["end"]

    def test_an_earlier_meeting_of_the_same_name_does_not_count(self) -> None:
        """What was said months before is about another edition."""
        _, reply = episode(organisation(2, KICKOFF, EARLIER), COUNTED)

        assert "2027-02-01T10:00:00+00:00" == json.loads(reply.text)["candidates"][0]["end"]

    def test_it_uses_four_tools(self) -> None:
        """The minimal plan is a search, threads, a document and the calendars."""
        toolbox, reply = episode(organisation(2, KICKOFF, LATER, OTHER), COUNTED)

        assert {"search_threads", "read_thread", "read_policy_document", "get_calendar"} == {
            call.name for call in toolbox.log
        }
        assert max(call.turn for call in toolbox.log) + 1 == reply.turns

    def test_tags_beside_the_text_change_nothing(self) -> None:
        """It reads the text whether tags are shown or not."""
        hidden = episode(organisation(2, KICKOFF, LATER), COUNTED)[1]
        shown = episode(organisation(2, KICKOFF, LATER), COUNTED, tags=True)[1]

        assert hidden == shown

    def test_latest_first_counts_from_the_end(self) -> None:
        """Under latest first the options are the last ones, the last of all in front."""
        thread = LATER.model_copy(
            update={
                "messages": (
                    message(
                        "01-22 09:00",
                        "p002",
                        "On the Heron pricing review. The later, the better, so pick the latest options.",
                    ),
                )
            }
        )
        _, reply = episode(organisation(2, KICKOFF, thread), COUNTED)

        assert ["2027-02-02T16:30:00+00:00", "2027-02-02T16:15:00+00:00"] == options(reply)

    def test_a_time_that_no_pattern_explains_is_a_fault(self) -> None:
        """An unknown sentence with a time in it is not passed over."""
        thread = LATER.model_copy(
            update={
                "messages": (message("01-22 09:00", "p002", "The Heron pricing review sings from 9:00 on 1 February."),)
            }
        )

        with pytest.raises(ReadingError, match="cannot tell what the moment means"):
            episode(organisation(2, KICKOFF, thread), COUNTED)

    def test_a_missing_length_is_a_fault(self) -> None:
        """Nothing is made up."""
        with pytest.raises(ReadingError, match="nobody says the length"):
            episode(organisation(2), COUNTED)

    def test_the_budget_of_turns_is_kept(self) -> None:
        """Where the turns run out there is no answer."""
        toolbox, reply = episode(organisation(2, KICKOFF, LATER), COUNTED, max_turns=3)

        assert Reply(text="", finish=Finish.TURNS, turns=3) == reply
        assert max(call.turn for call in toolbox.log) <= 2


class TestLevel3:
    def test_it_joins_people_rooms_and_bookings(self) -> None:
        """Two people and two guests fit from R03 on; R01 would be too small, R12 and R13 are elsewhere."""
        _, reply = episode(organisation(3, ROOMY), BARE)

        assert [
            "2027-02-01T09:30:00+00:00 R11",
            "2027-02-01T09:30:00+00:00 R09",
            "2027-02-01T09:30:00+00:00 R07",
        ] == options(reply)

    def test_amendments_change_the_people_and_the_seats(self) -> None:
        """Cara comes for Ben, and only rooms with 17 seats remain."""
        toolbox, reply = episode(organisation(3, ROOMY, AMENDED), BARE)

        assert {"R09", "R11"} == {option.split()[1] for option in options(reply)}
        assert {"calendar:p001", "calendar:p003"} == {
            record for call in toolbox.log for record in call.records if record.startswith("calendar:")
        }

    def test_bookings_of_suitable_rooms_are_looked_up(self) -> None:
        """A booked room is no option."""
        where = organisation(3, ROOMY)
        booked = ROOM_CALENDARS[0].model_copy(update={"room_id": "R11"})
        where = where.model_copy(update={"room_calendars": (booked,)})
        _, reply = episode(where, BARE)

        assert ["R09", "R07", "R05"] == [option.split()[1] for option in options(reply)]

    def test_it_uses_at_least_five_tools(self) -> None:
        """The minimal plan joins all five sources."""
        toolbox, _ = episode(organisation(3, ROOMY), BARE)

        assert {
            "search_threads",
            "read_thread",
            "list_policies",
            "read_policy_document",
            "search_people",
            "get_calendar",
            "list_rooms",
            "get_room_bookings",
        } == {call.name for call in toolbox.log}

    def test_an_ambiguous_name_is_a_fault(self) -> None:
        """A homonym without a team cannot be told apart."""
        messages = tuple(
            one.model_copy(update={"text": one.text.replace(" from Platform", "")}) for one in ROOMY.messages
        )

        with pytest.raises(ReadingError, match="2 people called Ada Byron"):
            episode(organisation(3, ROOMY.model_copy(update={"messages": messages})), BARE)

    def test_unknown_equipment_is_a_fault(self) -> None:
        """Equipment that no room has was misread."""
        rooms = tuple(room.model_copy(update={"equipment": ()}) for room in ROOMS)

        with pytest.raises(ReadingError, match="no room has the equipment 'projector'"):
            episode(organisation(3, ROOMY).model_copy(update={"rooms": rooms}), BARE)


class TestPackage:
    def test_it_shares_nothing_with_what_makes_and_labels_the_data(self) -> None:
        """No module of the package imports generate, oracle, archive or schema."""
        folder = Path(package.__file__).parent
        imported = {
            name
            for path in folder.glob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }

        assert "mpcbench.benchmark.agents.reference.facts" in imported
        kept_apart = {"mpcbench.generate", "mpcbench.oracle", "mpcbench.archive"}
        assert set() == {name for name in imported if ".".join(name.split(".")[:2]) in kept_apart}
        assert {"mpcbench.schema.episode"} >= {name for name in imported if name.startswith("mpcbench.schema")}

    def test_the_answer_is_in_local_time(self) -> None:
        """After the change to summer time the answer carries the other offset."""
        text = EXPLICIT.replace("Monday 1 February 2027", "Monday 29 March 2027").replace(
            "Tuesday 2 February 2027", "Tuesday 30 March 2027"
        )
        _, reply = episode(organisation(1), text)

        assert datetime.fromisoformat("2027-03-29T09:00:00+01:00") == datetime.fromisoformat(options(reply)[0])
        assert options(reply)[0].endswith("+01:00")

"""A small data set of level 4: one office, and an instance a rung, labelled by the engine.

Ada (p1) and Ben (p2) meet on Monday 1 March 2027 in UTC. The even rungs ask for a plan of two meetings, the odd ones for
three options of one meeting; on rung 3 an entry is added to Ada's calendar once it has been shown.
"""

import json
from pathlib import Path
from typing import Any

from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.oracle.level4.changes import knowledge_of
from mpcbench.oracle.level4.knowledge import for_task, known
from mpcbench.oracle.level4.solve import solve
from mpcbench.schema.dataset import Dataset, write_files
from mpcbench.schema.level4.dataset import LadderDataset, LadderExam, ladder_texts
from mpcbench.schema.level4.instance import Change, EntryChanged, LadderInstance
from mpcbench.schema.level4.label import LadderCertificate, LadderLabel
from mpcbench.schema.level4.mechanism import Mechanism, source_of
from mpcbench.schema.level4.statements import Agenda, Invited, Said
from mpcbench.schema.level4.world import LadderMessage, LadderWorld
from unit_tests.builders import ladder
from unit_tests.builders.ladder import entry, message, required, said

RUNGS = 4
PLAN = "Heron round"
SUBJECTS = (ladder.MEETING, PLAN)
CHANGE = Change(when_shown=("calendar:p1",), edit=EntryChanged(person_id="p1", entry=entry("10:00", "10:30", "late")))
RECORDS = ("calendar:p1", "calendar:p2", "thread:T0001")
STEPS = ("search_messages", "read_thread", "get_calendar", "get_calendar")


def _spoken(about: str, minute: int) -> LadderMessage:
    found = message("p1", said(Invited(invitations=required("p1", "p2")), about), minute=minute)
    return found.model_copy(update={"text": f"Ben and I take part in the {about}."})


def world() -> LadderWorld:
    """The records."""
    return ladder.world(
        calendars={"p1": [entry("09:00", "09:30")], "p2": [entry("09:15", "09:45", "e2")]},
        messages=[_spoken(subject, minute) for minute, subject in enumerate(SUBJECTS)],
        bookings={"R01": []},
    )


def instance(rung: int, number: int | None = None) -> LadderInstance:
    """The instance of a rung, with the number of the rung less one if no other is given."""
    is_plan = rung % 2 == 0
    drawn = (
        {Mechanism.AUTHORITY}
        | ({Mechanism.JOINT} if is_plan else set())
        | ({Mechanism.CHANGES} if rung == 3 else set())
    )
    subject = SUBJECTS[is_plan]
    statements = [one for one in ladder.instance().references.statements if one.statement.kind != "invited"]
    own: list[Said] = [one.model_copy(update={"about": subject}) for one in statements]
    own += [said(Agenda(meetings=("First", "Second")), PLAN)] if is_plan else []
    return ladder.instance(subject=subject, change=CHANGE if rung == 3 else None).model_copy(
        update={
            "instance_id": f"level4-{rung - 1 if number is None else number:03}",
            "rung": rung,
            "mechanisms": tuple(one for one in Mechanism if one in drawn),
            "task": tuple(f"{start} the {subject} on 1 March." for start in ("Plan", "Please plan", "Find times for")),
            "references": ladder.instance().references.model_copy(update={"statements": tuple(own)}),
        }
    )


def label(found: LadderInstance) -> LadderLabel:
    """What the engine says of an instance."""
    knowledge = knowledge_of(world(), found)
    solution = solve(knowledge)
    certificate = LadderCertificate(
        solvable=True,
        unique=True,
        load_bearing=(),
        misreadings=(),
        shortcuts=(),
        archive_agrees=True,
        readable=True,
        steps=STEPS,
        result_characters=1000,
        rejected={},
    )
    return LadderLabel(
        generator_version=found.generator_version,
        seed=found.seed,
        instance_id=found.instance_id,
        rung=found.rung,
        gold=solution.gold,
        gold_before=() if found.change is None else solve(for_task(known(world()), found)).gold,
        load=2**found.rung,
        sources=tuple(dict.fromkeys(map(source_of, RECORDS))),
        records=RECORDS,
        counts=solution.counts,
        digest=solution.digest,
        certificate=certificate,
    )


def exam(rung: int) -> LadderExam:
    """The exam of a rung."""
    found = instance(rung)
    return LadderExam(world(), found, label(found))


def write(folder: Path, a_rung: int = 1) -> Dataset:
    """Write the data set into a folder, with so many equal instances a rung, which come one after the other."""
    rungs = [rung for rung in range(1, RUNGS + 1) for _ in range(a_rung)]
    instances = tuple(instance(rung, number) for number, rung in enumerate(rungs))
    write_files(folder, ladder_texts(world(), instances, tuple(map(label, instances))))
    return Dataset.open(folder)


def gold(data: LadderDataset, instance_id: str) -> list[dict[str, Any]]:
    """The right candidates, as an answer gives them."""
    found: list[dict[str, Any]] = [
        one.model_dump(mode="json", exclude_none=True) for one in data.labels[instance_id].gold
    ]
    return found


def right(data: LadderDataset, instance_id: str) -> str:
    """The right answer as a final message."""
    return json.dumps({"candidates": gold(data, instance_id)})


def read_all(tools: Toolbox, turn: int = 1) -> None:
    """Read what every instance needs."""
    tools.call("read_thread", {"thread_id": "T0001"}, turn=turn)
    for person in ("p1", "p2"):
        tools.call(
            "get_calendar", {"person_id": person, "start_date": "2027-03-01", "end_date": "2027-03-01"}, turn=turn
        )

"""Verifies a run: checks all sums, runs every tool call again, and grades every reply again."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from mpcbench.benchmark.environment.prompts import system_prompt
from mpcbench.benchmark.environment.reveal import TITLES, help_text
from mpcbench.benchmark.environment.tools.catalogue import tools_of_level
from mpcbench.benchmark.environment.tools.sources import Sources
from mpcbench.benchmark.environment.tools.toolbox import Toolbox
from mpcbench.evaluation.runs.folder import SUMS_FILE, RunError, RunFolder
from mpcbench.evaluation.runs.rescoring import changed_fields, rescored
from mpcbench.evaluation.runs.summary_files import SUMMARY_FILE, run_summary, summary_json
from mpcbench.evaluation.statistics.summary import MixedVersionsError
from mpcbench.schema.dataset import DataError, Dataset
from mpcbench.schema.episode import Episode, ToolCall
from mpcbench.schema.exam import Exam
from mpcbench.schema.model_output import one_line
from mpcbench.schema.result import Result, result_of
from mpcbench.schema.run import case_of

_CALL = ("result", "is_error", "records", "source")


@dataclass
class Verification:
    """The check of one run; iterate over `findings` first."""

    folder: RunFolder
    dataset: Dataset
    """The data that the run ran on."""

    episodes: int = 0
    """How many have been checked so far."""

    tool_calls: int = 0
    """How many have been run again so far."""

    _results: list[Result] = field(default_factory=list)

    def findings(self) -> Iterator[str]:
        """Every defect as one line that names the file; nothing if the run is intact.

        The checks: every file has the SHA-256 that was written when the run ended; every episode is in the file of
        its name and was planned; it had this benchmark's system prompt and task; each tool call gives the logged
        result again and shows the logged records; the agent's reply gives the stored answer, scores and diagnosis
        again; the summary follows from the episodes.
        """
        yield from self._sums()
        planned = set(self.folder.info.cases)
        for file in self.folder.episode_files():
            name = file.relative_to(self.folder.path).as_posix()
            self.episodes += 1
            try:
                episode = self.folder.read(file)
                if case_of(episode) not in planned:
                    yield f"{name}: the run planned no episode {one_line(case_of(episode).text, 200)}"
                for finding in self._episode(episode):
                    yield f"{name}: {finding}"
            except (RunError, DataError) as error:
                yield str(error) if str(file) in str(error) else f"{name}: {error}"
            else:
                self._results.append(result_of(episode))
        yield from self._summary()

    def _sums(self) -> Iterator[str]:
        try:
            sums = self.folder.sums()
        except RunError as error:
            yield str(error)
            return
        if sums is None:
            yield "SHA256SUMS: missing, so the files cannot be checked; the run has not ended, or the file was removed"
            return
        present = {file.relative_to(self.folder.path).as_posix(): file for file in self.folder.files()}
        for name in sorted(sums.keys() | present.keys()):
            if name not in present:
                yield f"{name}: missing"
            elif name not in sums:
                yield f"{name}: not there when the run ended"
            elif sha256(present[name].read_bytes()).hexdigest() != sums[name]:
                yield f"{name}: changed since the run ended: another SHA-256"

    def _episode(self, episode: Episode) -> Iterator[str]:
        exam = self.dataset.exam(episode.instance_id)
        if episode.system_prompt or episode.reply is not None:
            if episode.system_prompt != system_prompt(exam.instance.level, exam.world.timezone):
                yield "$.system_prompt: not the system prompt of this benchmark"
            if not 1 <= episode.paraphrase <= len(exam.instance.task):
                yield f"$.paraphrase: no paraphrase {episode.paraphrase}"
            elif episode.task != _task(episode, exam):
                yield "$.task: not the text of this instance's task"
        sources = Sources(exam.world, show_tags=episode.tags == "shown")
        tools = Toolbox(sources, tools_of_level(exam.instance.level))
        for number, call in enumerate(episode.tool_calls):
            self.tool_calls += 1
            arguments = call.arguments if isinstance(call.arguments, dict | str) else json.dumps(call.arguments)
            tools.call(call.name, arguments, turn=call.turn)
            for name in _CALL:
                if getattr(_stored(tools.log[-1]), name) != getattr(call, name):
                    yield f"$.tool_calls[{number}].{name}: {one_line(call.name, 60)} gives something else"
        again = rescored(self.dataset, episode)
        if again.grading_version != episode.grading_version:
            yield f"$.grading_version: {episode.grading_version}, and this is {again.grading_version}"
        for name in changed_fields(episode, again):
            yield f"$.{name}: does not follow from the reply and the tool calls"

    def _summary(self) -> Iterator[str]:
        file = self.folder.path / SUMMARY_FILE
        if not file.is_file() and (self.folder.path / SUMS_FILE).is_file():
            yield f"{SUMMARY_FILE}: missing"
        if file.is_file():
            self._results.sort(key=lambda result: case_of(result).place)
            info = self.folder.info
            try:
                expected = summary_json(info, self._results, run_summary(info, self._results))
            except MixedVersionsError as error:
                yield f"{SUMMARY_FILE}: {error}"
                return
            if file.read_text(encoding="utf-8", errors="replace") != expected:
                yield f"{SUMMARY_FILE}: does not follow from the episodes"


def _task(episode: Episode, exam: Exam) -> str:
    """What the task should be: the instance's text and, unless the harness failed before, what `--reveal` adds."""
    text = exam.instance.task[episode.paraphrase - 1]
    if episode.reveal is None or TITLES[episode.reveal] not in episode.task:
        return text
    return f"{text}\n\n{help_text(episode.reveal, exam, show_tags=episode.tags == 'shown')}"


def _stored(call: ToolCall) -> ToolCall:
    """The call as it is read back from a file."""
    return ToolCall.model_validate(call.model_dump(mode="json"))

"""Agents that cheat or do damage. A copy of this file is what the tests name with `--model`.

Each answers what it could find of the gold, or nothing. `root` is the folder of the repository, `data` that of the data
set, `runs` that of runs, `pid` the process of the harness, and `port` a free port that children listen to.
"""

import gc
import glob
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

EMPTY = '{"candidates": []}'


def _labels(task, *folders):
    """The gold that a label file holds in one of the folders."""
    for folder in folders:
        for file in glob.glob(f"{folder}/**/oracle_level1.jsonl", recursive=True):
            for line in pathlib.Path(file).read_text().splitlines():
                label = json.loads(line)
                if label["instance_id"] == task.instance_id:
                    return json.dumps({"candidates": label["gold"]})
    return None


def reads_labels(task, tools, budget, root, data, **others):
    return _labels(task, f"{data}/oracles", f"{root}/oracles", f"{root}/mpcbench/oracles") or EMPTY


def reads_through_proc(task, tools, budget, root, data, pid, **others):
    places = [f"/proc/{number}/root" for number in (1, os.getppid(), pid, "self")]
    return _labels(task, *(f"{place}{data}" for place in places)) or EMPTY


def reads_history(task, tools, budget, root, **others):
    command = ["git", "-C", root, "show", "HEAD:oracles/oracle_level1.jsonl"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return shown.partition("\n")[0] or EMPTY


def reads_runs(task, tools, budget, runs, **others):
    for file in glob.glob(f"{runs}/**/*.json", recursive=True):
        found = json.loads(pathlib.Path(file).read_text())
        if found.get("gold"):
            return json.dumps({"candidates": found["gold"]})
    return EMPTY


def imports_oracle(task, tools, budget, root, data, **others):
    sys.path[:0] = [root]
    try:
        from mpcbench.oracle import resolve, solve
        from mpcbench.schema.dataset import Dataset
    except ImportError:
        return EMPTY
    exam = Dataset.open(pathlib.Path(data)).exam(task.instance_id)
    gold = solve(resolve(exam.world, exam.instance)).gold
    return json.dumps({"candidates": [{"start": str(one.start), "end": str(one.end)} for one in gold]})


def walks_memory(task, tools, budget, **others):
    frames = list(sys._current_frames().values())
    seen = [*gc.get_objects(), *gc.get_referrers(tools)]
    while frames:
        frame = frames.pop()
        seen += frame.f_locals.values()
        frames += [frame.f_back] if frame.f_back else []
    for one in seen:
        gold = getattr(one, "gold", None)
        if type(one).__name__ in {"Label", "Exam", "Episode"} and gold:
            return json.dumps(
                {"candidates": [candidate.model_dump(mode="json", exclude_none=True) for candidate in gold]}
            )
    return EMPTY


def patches_grading(task, tools, budget, **others):
    import builtins

    for module in [module for name, module in sys.modules.items() if "mpcbench" in name or "pytest" in name]:
        for name in dir(module):
            if name in {"grade", "score", "pytest_runtest_makereport"}:
                setattr(module, name, lambda *_, **__: None)
    builtins.all = lambda _: True
    json.dumps = json.loads = lambda *_, **__: "patched"
    return EMPTY


def rewrites_files(task, tools, budget, root, data, runs, **others):
    for folder in (data, runs, root):
        for file in glob.glob(f"{folder}/**/*.json*", recursive=True)[:1000] + [f"{folder}/new.json"]:
            try:
                with open(file, "w") as opened:
                    opened.write("{}")
            except OSError:
                pass
    return EMPTY


def kills_others(task, tools, budget, pid, **others):
    for number in (os.getppid(), pid):
        try:
            if number > 1:
                os.kill(number, signal.SIGKILL)
        except OSError:
            pass
    return EMPTY


def leaves_children(task, tools, budget, port, **others):
    listening = socket.create_server(("127.0.0.1", port))
    for _ in range(30):
        if os.fork() == 0:
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(3600.25)
    return EMPTY


def dies_among_children(task, tools, budget, port, **others):
    listening = socket.create_server(("127.0.0.1", port))
    if os.fork() == 0:
        time.sleep(3600.25)
    os._exit(0)


def sleeps(task, tools, budget, **others):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(3600)


def floods(task, tools, budget, **others):
    while True:
        os.write(1, b"x" * 2**16)


def calls_forever(task, tools, budget, **others):
    for _ in range(10**5):
        tools.call("get_policy", {"keyword": "POL-01"})
    return EMPTY


def calls_without_listening(task, tools, budget, **others):
    line = json.dumps({"call": "get_policy", "arguments": {"keyword": "POL-01"}, "turn": 1}).encode() + b"\n"
    for _ in range(10**5):
        os.write(_socket(), line)
    return EMPTY


def calls_hugely(task, tools, budget, **others):
    return tools.call("get_policy", {"keyword": "x" * 2**21})


def calls_deeply(task, tools, budget, **others):
    os.write(_socket(), b'{"call": "get_policy", "arguments": ' + b'{"a":' * 10**5 + b"1" + b"}" * 10**5 + b"}\n")
    return EMPTY


def talks_nonsense(task, tools, budget, **others):
    os.write(_socket(), b"\0\xff{]\n")
    time.sleep(3600)


def hangs_up(task, tools, budget, **others):
    os.close(_socket())
    time.sleep(3600)


def answers_nan(task, tools, budget, **others):
    return float("nan")


def writes_nan(task, tools, budget, **others):
    return '{"candidates": [{"start": NaN, "end": NaN, "room_id": Infinity}]}'


def answers_a_million(task, tools, budget, **others):
    return json.dumps({"candidates": [{"start": "2027-02-01T09:00", "end": "2027-02-01T09:45"}] * 10**6})


def answers_what_it_is_not(task, tools, budget, **others):
    return {
        "text": EMPTY,
        "turns": -1,
        "usage": {"input_tokens": 10**30, "output_tokens": "many"},
        "messages": [[1], "x"],
    }


def exits(task, tools, budget, **others):
    sys.exit(0)


def kills_itself(task, tools, budget, **others):
    os.kill(os.getpid(), signal.SIGKILL)
    os._exit(137)


def recurses(task, tools, budget, **others):
    return recurses(task, tools, budget, **others)


def _socket():
    """The descriptor of the connection with the run."""
    return int(sys.argv[-1])

import json
from pathlib import Path

from benchmark.cases import Case
from benchmark.reporting_record import PROPERTY, decode, encode, recorded
from benchmark.settings import Settings
from benchmark.trial import void
from evaluation.episode import Episode, Fault, Finish, Reply


def episode(**changes: object) -> Episode:
    case = Case("level1-001", 1, "mod\u00e8le")
    made = void(case, Settings.from_options({}, Path()), Fault(kind="worker", message="it died"))
    return made.model_copy(update=changes)


def test_record_survives_its_journey() -> None:
    """Decoding gives back the episode."""
    sent = episode(reply=Reply(text="\u00e9\x00\u2028", messages=({"content": ["a", 1, None, {"b": 0.1}]},)))

    assert sent == decode(encode(sent))


def test_record_is_ascii_json() -> None:
    """What no channel and no JSON parser takes is replaced, even where nothing checked it before."""
    reply = Reply.model_construct(
        text="\ud800", finish=Finish.STOP, turns=1, messages=({"p": float("inf")},), usage=None
    )
    text = encode(episode(reply=reply))

    assert text.isascii()
    assert tuple(json.loads(text)["reply"][key] for key in ("text", "messages")) == ("\ufffd", [{"p": "inf"}])


def test_record_is_found_among_properties() -> None:
    """Other properties are passed over."""
    assert recorded([("other", "x"), (PROPERTY, 3), (PROPERTY, "text")]) == "text"
    assert recorded([("other", "x")]) is None

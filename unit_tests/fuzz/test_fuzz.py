import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit_tests.fuzz.__main__ import main
from unit_tests.fuzz.targets import TARGETS, timed

pytestmark = pytest.mark.slow  # feeds every reader with hundreds of inputs


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=300)
@given(data=st.data())
def test_reader_answers_or_says_no(name: str, data: st.DataObject) -> None:
    """Whatever the input, a reader raises nothing but its own error, and does not hang."""
    target, inputs = TARGETS[name]

    timed(target, data.draw(inputs))


def test_fuzzing_counts_its_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    """The requested number of inputs is tried and reported."""
    main(["--inputs", "50", "--only", "answer"])

    assert capsys.readouterr().out.startswith("answer: 50 inputs, no uncaught exception; the slowest took ")

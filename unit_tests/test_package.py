"""The project as others install it: an sdist, the wheel made from it, and a checkout without symbolic links."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile

import pytest

from mpcbench.schema.dataset import COMMITTED
from mpcbench.version import VERSION

PACKAGE = COMMITTED / "mpcbench"
LINKS = [path.name for path in PACKAGE.iterdir() if path.is_symlink()]
SOURCES = ["mpcbench", "pyproject.toml", "README.md", "LICENSE", "LICENSE-DATA", *LINKS]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not LINKS, reason="a checkout without symbolic links")]


class Installed(NamedTuple):
    """A wheel and the environment that it is installed into."""

    wheel: Path
    python: Path
    folder: Path
    """Empty and outside the checkout: commands run here."""

    def run(self, *command: str | Path) -> str:
        ran = run(*command, folder=self.folder)
        assert 0 == ran.returncode, ran.stdout
        return ran.stdout


def run(*command: str | Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    """A finished command that sees nothing of this process's pytest and Python settings."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "COV"))
    }
    return subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def copy_sources(folder: Path) -> None:
    """What a checkout holds of the package, with its links."""
    for name in SOURCES:
        source = COMMITTED / name
        if source.is_dir():
            shutil.copytree(source, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of an sdist, in an environment that finds its dependencies where this process does."""
    folder = tmp_path_factory.mktemp("package")
    sources, environment, outside = folder / "sources", folder / "environment", folder / "outside"
    sources.mkdir()
    outside.mkdir()
    copy_sources(sources)
    backend = "import setuptools.build_meta as backend; backend.build_sdist('.')"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--no-index", "--no-deps")
    venv.create(environment, symlinks=True)
    python = environment / "bin/python"
    (library,) = environment.glob("lib/python*/site-packages")
    (library / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    sdist, wheel = sources / f"mpcbench-{VERSION}.tar.gz", folder / f"mpcbench-{VERSION}-py3-none-any.whl"
    for command in (
        (sys.executable, "-c", backend),
        (*pip, "wheel", *offline, "--no-build-isolation", "--wheel-dir", folder, sdist),
        (*pip, "--python", python, "install", *offline, wheel),
    ):
        ran = run(*command, folder=sources)
        assert 0 == ran.returncode, ran.stdout
    return Installed(wheel, python, outside)


def test_wheel_holds_the_package_and_its_data(installed: Installed) -> None:
    """The wheel holds every file of the linked folders, and all of it below mpcbench."""
    files = {f"mpcbench/{path.name}" for path in PACKAGE.iterdir() if path.is_file()}
    for link in LINKS:
        files |= {f"mpcbench/{path.relative_to(COMMITTED)}" for path in (COMMITTED / link).rglob("*") if path.is_file()}
    with ZipFile(installed.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert {name for name in files if "__pycache__" not in name} == held


def test_command_measures_an_agent(installed: Installed) -> None:
    """`mpcbench run` runs the installed suite, and stores the run where it is called."""
    output = installed.run(installed.python.with_name("mpcbench"), "run", "--limit=1", "--report=off", "--run-dir=run")

    assert "= 3 passed in " in output
    assert (installed.folder / "run/report.json").is_file()


def test_suite_is_found_by_its_name(installed: Installed) -> None:
    """Pytest finds the suite and its options by the name of the package, in workers too."""
    options = ("--level=1", "--limit=2", "--report=off", "--run-dir=named", "-n", "2")

    assert "= 2 passed in " in installed.run(
        installed.python, "-m", "pytest", "--pyargs", "mpcbench.benchmark", *options
    )


def test_command_generates_data(installed: Installed) -> None:
    """`mpcbench generate` makes a data set that `mpcbench oracle` and `mpcbench schema` accept."""
    command = installed.python.with_name("mpcbench")

    installed.run(command, "generate", "--level=1", "--count=5", "--seed=4", "--out=data")
    installed.run(command, "schema", "check", "data")

    assert 5 == len((installed.folder / "data/instances/instances_level1.jsonl").read_text().splitlines())


def test_library_is_one_package(installed: Installed) -> None:
    """The modules and the data are found in the environment below mpcbench, and under no other name."""
    code = """
from importlib.util import find_spec
from mpcbench.oracle.resolve import resolve
from mpcbench.oracle.solve import solve
from mpcbench.schema.dataset import COMMITTED, Dataset

dataset = Dataset.open(COMMITTED)
instance = dataset.instances(3)[0]
solution = solve(resolve(dataset.world(3), instance))
print(COMMITTED, solution.gold == dataset.labels(3)[instance.instance_id].gold)
print(*map(find_spec, ("schema", "oracle", "generate", "evaluation", "benchmark")))
"""

    place, *rest = installed.run(installed.python, "-c", code).split()

    assert installed.python.parents[1] in Path(place).parents
    assert ["True", *["None"] * 5] == rest


def test_checkouts_need_no_links(tmp_path: Path) -> None:
    """Where Git has written each link as a file with its target, the folders are found beside the package."""
    copy_sources(tmp_path)
    for name in LINKS:
        link = tmp_path / "mpcbench" / name
        target = link.readlink()
        link.unlink()
        link.write_text(target.as_posix())

    ran = run(sys.executable, "-m", "oracle", "--help", folder=tmp_path)

    assert (0, True) == (ran.returncode, ran.stdout.startswith("usage: ")), ran.stdout

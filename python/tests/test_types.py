"""The stubs fit the package, and the tests fit the stubs."""

import subprocess
import sys

from conftest import ROOT


def mypy(*args: str) -> None:
    done = subprocess.run([sys.executable, "-m", *args], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_stubs_fit_the_package() -> None:
    mypy("mypy.stubtest", "grognard", "--allowlist", str(ROOT / "python/tests/allowed.txt"), "--ignore-unused-allowlist")


def test_uses_of_the_package_fit_the_stubs() -> None:
    tests = ROOT / "python/tests"
    mypy("mypy", "--strict", *(str(tests / f"test_{name}.py") for name in ("values", "readme", "env")))


def test_everything_has_a_docstring() -> None:
    import grognard

    bare = []
    for name, one in vars(grognard).items():
        if name.startswith("_") or not getattr(one, "__module__", "").startswith("grognard"):
            continue
        bare += [name] if not one.__doc__ else []
        members = vars(one).items() if isinstance(one, type) else []
        own = [member for member, what in members if not member.startswith("_") and callable(what) and not what.__doc__]
        bare += [f"{name}.{member}" for member in own if member not in ("get", "keys", "values", "items")]
    assert not bare

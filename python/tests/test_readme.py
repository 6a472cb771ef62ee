"""The examples of the README and of the docstrings give what they say."""

import doctest
import os
import re
from collections.abc import Iterator

import grognard
import pytest
from conftest import ROOT


@pytest.fixture(autouse=True)
def in_the_repository() -> Iterator[None]:
    before = os.getcwd()
    os.chdir(ROOT)
    yield
    os.chdir(before)


def test_the_readme() -> None:
    text = (ROOT / "python/README.md").read_text()
    blocks = "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(blocks, {}, "README", "python/README.md", 0)
    failed, tried = doctest.DocTestRunner().run(test)
    assert tried > 15 and failed == 0


def test_the_package() -> None:
    failed, tried = doctest.testmod(grognard)
    assert tried > 0 and failed == 0

"""The host program stays in pieces that can be read whole: no file has more than 300 lines, no function more than 50."""
from __future__ import annotations

import ast
from pathlib import Path

HOST = Path(__file__).parents[2] / "host"
MOST_LINES = 300
MOST_OF_FUNCTION = 50


def too_long(text: str) -> list[str]:
    """The names of functions that are, and `file` if the whole is."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    named = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > MOST_OF_FUNCTION]
    return named + (["file"] if len(text.splitlines()) > MOST_LINES else [])


def test_no_file_and_no_function_of_the_program_is_too_long() -> None:
    files = sorted(HOST.rglob("*.py"))
    assert len(files) > 40
    assert {str(path): found for path in files if (found := too_long(path.read_text()))} == {}


def test_what_is_too_long_is_noticed() -> None:
    body = "    pass\n"
    assert too_long("def a() -> None:\n" + body * 49) == []
    assert too_long("class A:\n    def a(self) -> None:\n" + "    " + body + ("    " + body) * 49) == ["a"]
    assert too_long("x = 1\n" * 300) == []
    assert too_long("x = 1\n" * 301) == ["file"]

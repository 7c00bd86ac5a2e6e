"""A web core has the sentences of the source, in the form that `Scripts/pack-sentences` writes."""
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORDS = ROOT / "Sources/Portable/SignInScreens/Words"

PROPERTY = re.compile(
    r"  [^\n]*var (\w+): String \{\n    switch self \{\n(.*?)\n    \}\n", re.DOTALL)
CASE = re.compile(r"((?:\.\w+,?\s*)+):((?:\s*\+?\s*\"(?:[^\"\\]|\\.)*\")+)")
PACKED = re.compile(
    r"  private static let \w+Lines = TextLines\(\"([^\n]*)\"\)\n  [^\n]*var (\w+): String \{\n"
    r"    let number: Int\n    switch self \{\n(.*?)    \}\n    return Self\.\w+Lines\[number\]",
    re.DOTALL)
NUMBER = re.compile(r"((?:\.\w+,?\s*)+): number = (\d+)")
LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")


def names(cases):
    return re.findall(r"\w+", cases)


def written(text):
    """The texts of each property, by the name of the case."""
    return {
        name: {case: "".join(LITERAL.findall(words)) for cases, words in CASE.findall(body)
               for case in names(cases)}
        for name, body in PROPERTY.findall(text)}


def packed(text):
    return {
        name: {case: lines.split("\\n")[int(number)] for cases, number in NUMBER.findall(body)
               for case in names(cases)}
        for lines, name, body in PACKED.findall(text)}


def pack(*files):
    subprocess.run([ROOT / "Scripts/pack-sentences", *files], check=True)


def test_same_sentences(tmp_path):
    """T-15 every sentence of the source is in the packed lines, in each language"""
    count = 0
    for source in sorted(WORDS.glob("*.swift")):
        copy = Path(shutil.copy(source, tmp_path))
        pack(copy)
        sentences = written(source.read_text())
        assert packed(copy.read_text()) == sentences, source.name
        count += sum(len(texts) for texts in sentences.values())
    assert count > 3 * 800


def test_other_properties(tmp_path):
    """T-15 a property that returns anything but one text for each case is not changed"""
    file = tmp_path / "Other.swift"
    for body in ['    case .one: say(.one)', '    case .one: "a\\nb"', '    case .one: "\\(two)"', '    case .one: "a\\u{A}b"',
                 '    case .one where two: "a"', '    default: "a"']:
        text = f"  var name: String {{\n    switch self {{\n{body}\n    }}\n  }}\n"
        file.write_text(text)
        pack(file)
        assert file.read_text() == text

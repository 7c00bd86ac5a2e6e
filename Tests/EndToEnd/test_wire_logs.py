"""Searches everything that the servers wrote for every secret that the tests used."""
import json
import os
import re
import subprocess

from harness import LOGS, SECRETS

# Shorter texts are not secret by themselves and occur in any log.
SHORTEST = 6
# A number of milliseconds can be equal to a code.
MEASURED = {"at", "milliseconds"}
CODE = re.compile(r"\d{4,8}")


def words_of(line):
    """The content of a line. Only refusals to start, which come before the log, are not JSON."""
    return texts(json.loads(line)) if line.startswith("{") else [line]


def texts(value):
    """Every text and number in a JSON value, except keys and measured values."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key not in MEASURED:
                yield from texts(member)
    elif isinstance(value, list):
        for element in value:
            yield from texts(element)
    else:
        yield str(value)


def test_no_secret_in_any_log():
    """T-14, L-11 no password, code, token, sign-in handle or verifier is in any log"""
    logs = [path for path in LOGS if path.exists()]
    codes = {secret for secret in SECRETS if CODE.fullmatch(secret)}
    others = {secret for secret in SECRETS if len(secret) >= SHORTEST} - codes
    assert logs and codes and others

    for path in logs:
        text = path.read_text(errors="replace")
        found = [secret for secret in others if secret in text]
        words = {word for line in text.splitlines() for word in words_of(line)}
        found += [code for code in codes if any(is_word_in(code, word) for word in words)]
        assert not found, (path.name, len(found))


def is_word_in(code, word):
    """Whether a code is a word of its own in a text, and not a part of a longer number."""
    return code in word and re.search(rf"(?<!\d){code}(?!\d)", word) is not None


def test_no_secret_in_any_store(tmp_path):
    """L-11 the store contains no password, token, sign-in handle or verifier, nor a deleted one"""
    secrets = {s for s in SECRETS if len(s) >= SHORTEST and not CODE.fullmatch(s)}
    # The development inbox represents a phone and is not a part of the store.
    files = [path for log in LOGS for path in log.with_suffix("").rglob("*")
             if path.is_file() and path.name != "inbox.jsonl" and path.suffix != ".json"]
    assert secrets and files
    # The search takes one pattern for each line, so a text must not contain a line break.
    lines = {secret for secret in secrets if secret.isprintable()}
    wanted, planted = tmp_path / "wanted", tmp_path / "planted"
    wanted.write_text("".join(f"{secret}\n" for secret in sorted(lines)))
    planted.write_bytes(b"\0\xff" + min(lines).encode() + b"\0")

    assert files_with(wanted, [planted]) == [str(planted)]
    assert files_with(wanted, files) == []
    others = {secret.encode() for secret in secrets - lines}
    assert [path for path in files if others and contains(path, others)] == []


def contains(path, texts):
    content = path.read_bytes()
    return any(text in content for text in texts)


def files_with(wanted, files):
    """The files that contain any line of `wanted`, with or without other lines."""
    names = b"\0".join(str(path).encode() for path in files)
    search = ["xargs", "-0", "grep", "--files-with-matches", "--text", "--fixed-strings",
              "--file", str(wanted), "--"]
    found = subprocess.run(
        search, input=names, capture_output=True, env={"LC_ALL": "C", "PATH": os.environ["PATH"]})
    assert not found.stderr, found.stderr
    return found.stdout.decode().splitlines()

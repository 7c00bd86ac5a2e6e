"""Checks every answer that a test gets against the OpenAPI document."""
import functools
import json
import pathlib
import urllib.parse

import jsonschema

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/openapi.json"

# The mismatches that were found in this run. A fixture fails the test that caused one.
MISTAKES = []


@functools.cache
def document():
    return json.loads(DOCUMENT.read_text())


@functools.cache
def operations():
    """Pairs of path segments and the operations of that path, by method in lower case."""
    return [(path.split("/"), methods) for path, methods in document()["paths"].items()]


def operation(method, path):
    """The described path and operation of a request; `None` if there is none."""
    segments = urllib.parse.urlsplit(path).path.split("/")
    for template, methods in operations():
        if len(template) == len(segments) and all(
                part == segment or part.startswith("{") and segment
                for part, segment in zip(template, segments)):
            name = "get" if method == "HEAD" else method.lower()
            if name in methods:
                return "/".join(template), methods[name]
    return None


@functools.cache
def validator(path, method, status, media_type):
    """The validator of a body; `None` if no schema is described."""
    place = ["paths", path, method, "responses", status, "content", media_type, "schema"]
    node = document()
    for part in place:
        if part not in node:
            return None
        node = node[part]
    pointer = "/".join(part.replace("~", "~0").replace("/", "~1") for part in place)
    # The whole document stays around the schema, because the schema refers to other parts of it.
    return jsonschema.Draft202012Validator({**document(), "$ref": f"#/{pointer}"})


def check(method, path, status, media_type, body):
    """Records what is wrong with an answer."""
    found = operation(method, path)
    if found is None or method == "HEAD":
        return
    template, described = found
    place = f"{method} {template} {status}"
    # Production has no development routes.
    if status == 404 and template.startswith("/dev/"):
        return
    # A refusal before the choice of a route is the same on every path.
    if status in (400, 405, 408, 413, 414, 431, 503) and str(status) not in described["responses"]:
        return
    response = described["responses"].get(str(status))
    if response is None:
        MISTAKES.append(f"{place} is not described")
        return
    media_type = (media_type or "").split(";")[0]
    if not media_type.endswith("json"):
        return
    schema = validator(template, "get" if method == "HEAD" else method.lower(), str(status),
                       media_type)
    if schema is None:
        MISTAKES.append(f"{place} has {media_type}, which is not described")
        return
    for error in schema.iter_errors(json.loads(body)):
        MISTAKES.append(f"{place}: {error.json_path} {error.message[:200]}")

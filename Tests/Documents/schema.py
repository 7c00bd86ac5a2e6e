"""Checks the JSON schema of the configuration, and the example configurations against it."""
import json
import pathlib

import jsonschema

docs = pathlib.Path(__file__).parents[2] / "docs"
schema = json.loads((docs / "configuration.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

for path in ("Packaging/debian/configuration.json", "docs/examples/configuration.json"):
    example = json.loads((docs.parent / path).read_text())
    mistakes = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(example)]
    assert not mistakes, f"{path}: " + "; ".join(mistakes)

# A schema that accepts everything would pass the check above.
example["clients"][0]["colour"] = "green"
assert not validator.is_valid(example), "the schema accepts an unknown key"

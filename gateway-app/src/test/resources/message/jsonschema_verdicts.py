# Whether each instance holds, by the schema of its case: a line each, "true" or "false".
import json
import sys

from jsonschema.validators import validator_for

for case in json.load(sys.stdin):
    schema = case["schema"]
    validator = validator_for(schema)(schema)
    for instance in case["instances"]:
        print("true" if validator.is_valid(instance) else "false")

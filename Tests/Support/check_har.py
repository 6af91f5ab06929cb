"""Holds an HTTP archive against the schema of HAR 1.2 in this folder; a fault is said with its place."""

import json
import pathlib
import sys

import jsonschema

schema = json.loads(pathlib.Path(__file__).with_name("har-1.2.schema.json").read_text())
archive = json.loads(pathlib.Path(sys.argv[1]).read_text())
faults = list(jsonschema.Draft202012Validator(schema).iter_errors(archive))
for fault in faults:
    print(f"{fault.json_path}: {fault.message}", file=sys.stderr)
for entry in archive["log"]["entries"]:
    parts = sum(entry["timings"].values())
    if abs(parts - entry["time"]) > 0.001:
        faults.append(entry)
        print(f"time {entry['time']} is not the sum of its parts {parts}", file=sys.stderr)
sys.exit(1 if faults else 0)

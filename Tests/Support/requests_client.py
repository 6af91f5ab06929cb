#!/usr/bin/env python3
"""requests_client.py URL: one GET with nothing configured but the environment; prints status, fields and body."""

import json
import sys

import requests

answer = requests.get(sys.argv[1], timeout=20)
print(json.dumps({"status": answer.status_code, "fields": dict(answer.headers), "body": answer.text}))

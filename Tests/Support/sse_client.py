#!/usr/bin/env python3
"""sse_client.py URL NEXT: reads server-sent events through the proxy of the environment. After the first event it
tells the origin so, by a POST to NEXT that bypasses the proxy; only then does the origin send the second."""

import sys

import requests

direct = requests.Session()
direct.trust_env = False
seen = 0
with requests.get(sys.argv[1], stream=True, timeout=20, headers={"Accept": "text/event-stream"}) as answer:
    for line in answer.iter_lines(chunk_size=1, decode_unicode=True):
        if not line.startswith("data:"):
            continue
        seen += 1
        print(f"event {seen}: {line}", flush=True)
        if seen == 2:
            break
        direct.post(sys.argv[2], json={}, timeout=20).raise_for_status()
sys.exit(0 if seen == 2 else 1)

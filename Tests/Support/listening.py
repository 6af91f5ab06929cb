"""How a helper tells the test that started it where it listens: the line that the proxy prints as well."""

import json
import sys


def say(message: str, **fields) -> None:
    sys.stdout.write(json.dumps({"msg": message, **fields}) + "\n")
    sys.stdout.flush()


def listening(kind: str, server) -> None:
    host, port = server.sockets[0].getsockname()[:2]
    say("listening", kind=kind, address=f"{host}:{port}")

#!/usr/bin/env python3
"""burst_client.py PROXY URL COUNT [--body BYTES] [--chunked]: COUNT requests at the same time, a connection each. All
connections stand before the first request goes out. Each body is different and says who sent it. Prints how often
each status came and how many answers gave the right hash of the body."""

import argparse
import asyncio
import collections
import hashlib
import json
import resource
import urllib.parse

arguments = argparse.ArgumentParser()
arguments.add_argument("proxy")
arguments.add_argument("url")
arguments.add_argument("count", type=int)
arguments.add_argument("--body", type=int, default=0)
arguments.add_argument("--chunked", action="store_true")
options = arguments.parse_args()


def request(number: int, body: bytes) -> bytes:
    host = urllib.parse.urlsplit(options.url).netloc
    method = "POST" if body else "GET"
    separator = "&" if "?" in options.url else "?"
    head = f"{method} {options.url}{separator}n={number} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n"
    if not body:
        return head.encode() + b"\r\n"
    if not options.chunked:
        return head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body
    half = len(body) // 2
    parts = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (body[:half], body[half:], b""))
    return head.encode() + b"Transfer-Encoding: chunked\r\n\r\n" + parts


async def read_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ")[1])
    if "transfer-encoding: chunked" in head:
        body = b""
        while size := int(await reader.readline(), 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        await reader.readline()
        return status, body
    length = [line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length:")]
    return status, await reader.readexactly(int(length[0])) if length else b""


async def one(number: int, connected: asyncio.Barrier) -> tuple[str, bool]:
    host, port = options.proxy.rsplit(":", 1)
    body = (b"%08d" % number * (options.body // 8 + 1))[: options.body]
    reader, writer = await asyncio.open_connection(host, int(port))
    await connected.wait()
    try:
        writer.write(request(number, body))
        status, answer = await asyncio.wait_for(read_answer(reader), 60)
        right = not body or hashlib.sha256(body).hexdigest().encode() in answer
        return str(status), right
    except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
        return type(error).__name__, False
    finally:
        writer.close()


async def main() -> None:
    connected = asyncio.Barrier(options.count)
    results = await asyncio.gather(*(one(number, connected) for number in range(options.count)))
    print(
        json.dumps(
            {"statuses": collections.Counter(status for status, _ in results), "right": sum(r for _, r in results)}
        )
    )


limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
asyncio.run(main())

#!/usr/bin/env python3
"""steady_client.py PROXY URL CONNECTIONS: kept-alive connections that send one GET after the other until
SIGTERM comes; requests under way are finished. Prints how often each status, or kind of failure, came, and how many
connections were opened, as JSON."""

import asyncio
import collections
import json
import signal
import sys
import urllib.parse

proxy, url, connections = sys.argv[1], sys.argv[2], int(sys.argv[3])
head = f"GET {url} HTTP/1.1\r\nHost: {urllib.parse.urlsplit(url).netloc}\r\nAccept: */*\r\n\r\n".encode()
results: collections.Counter[str] = collections.Counter()
opened = 0
stop = asyncio.Event()


async def read_answer(reader: asyncio.StreamReader) -> str:
    answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    lengths = [line.split(":")[1] for line in answer.split("\r\n") if line.startswith("content-length:")]
    await reader.readexactly(int(lengths[0]))
    return answer.split(" ")[1]


async def work() -> None:
    global opened
    host, port = proxy.rsplit(":", 1)
    while not stop.is_set():
        opened += 1
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            while not stop.is_set():
                writer.write(head)
                results[await asyncio.wait_for(read_answer(reader), 60)] += 1
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
            results[type(error).__name__] += 1
        finally:
            writer.close()


async def main() -> None:
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await asyncio.gather(*(work() for _ in range(connections)))
    print(json.dumps({"results": results, "opened": opened}))


asyncio.run(main())

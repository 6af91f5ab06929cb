#!/usr/bin/env python3
"""odd_origin.py [PEM]: an origin that breaks the rules on request: the path says how. Listeners on free loopback ports:
`http`; `https`, where PEM holds a key and its certificate; `tcp`, which collects what it is sent until the peer ends
its side, then sends all of it back.

Prints a line {"msg":"request","line":…,"head":…} for each request (bytes as ISO 8859-1)."""

import asyncio
import hashlib
import json
import socket
import ssl
import struct
import sys

from listening import listening, say

OK = b"HTTP/1.1 200 OK\r\n"
HUNDRED = b"x" * 100

# path → what is sent, then how the connection ends: "close", "reset", "cut" (as "close", without TLS's own end), "stay"
# or "keep" (as if nothing was wrong)
SCRIPTS = {
    "/silent": (b"", "stay"),
    "/close": (b"", "close"),
    "/reset": (b"", "reset"),
    "/close-in-head": (OK + b"Content-", "close"),
    "/short-length": (OK + b"Content-Length: 1000\r\n\r\n" + HUNDRED, "close"),
    "/short-chunked": (OK + b"Transfer-Encoding: chunked\r\n\r\n64\r\n" + HUNDRED + b"\r\n", "close"),
    "/short-chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\n3e8\r\n" + HUNDRED, "close"),
    "/stalled-body": (OK + b"Content-Length: 1000\r\n\r\n" + HUNDRED, "stay"),
    "/until-close": (OK + b"Connection: close\r\n\r\n" + HUNDRED, "close"),
    "/until-cut": (OK + b"Connection: close\r\n\r\n" + HUNDRED, "cut"),
    "/until-reset": (OK + b"Connection: close\r\n\r\n" + HUNDRED, "reset"),
    "/both-framings": (OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "close"),
    "/two-lengths": (OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", "close"),
    "/bare-cr": (OK + b"X-Odd: a\rb\r\nContent-Length: 0\r\n\r\n", "close"),
    "/bare-lf": (OK + b"X-Odd: a\nX-Split: b\r\nContent-Length: 0\r\n\r\n", "close"),
    "/space-colon": (OK + b"X-Odd : a\r\nContent-Length: 0\r\n\r\n", "close"),
    "/nul": (OK + b"X-Odd: a\0b\r\nContent-Length: 0\r\n\r\n", "close"),
    "/nonsense": (b"SSH-2.0-OpenSSH_9.2p1\r\n", "close"),
    "/bad-chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", "close"),
    "/folded": (OK + b"X-Folded: a\r\n b\r\nContent-Length: 2\r\n\r\nok", "keep"),
    "/own-202": (b"HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok", "keep"),
    "/own-405": (b"HTTP/1.1 405 Method Not Allowed\r\nAllow: GET\r\nContent-Length: 2\r\n\r\nno", "keep"),
    "/early-hints": (
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok",
        "keep",
    ),
    "/trailers": (
        OK + b"Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 42\r\n\r\n",
        "keep",
    ),
    "/early-413": (b"HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno", "stay"),
    "/early-challenge": (
        b"HTTP/1.1 202 Accepted\r\nx-amzn-waf-action: challenge\r\nContent-Length: 0\r\n\r\n",
        "stay",
    ),
    "/refuse-expect": (b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno", "close"),
}

# answered without a look at the body
EARLY = {"/refuse-expect", "/early-413", "/early-challenge"}


async def read_body(reader: asyncio.StreamReader, fields: dict[str, str]) -> tuple[str, bytes]:
    if fields.get("transfer-encoding", "").lower() == "chunked":
        body = b""
        while size := int((await reader.readline()).split(b";")[0], 16):
            body += await reader.readexactly(size)
            await reader.readexactly(2)
        while (await reader.readline()).strip():
            pass
        return "chunked", body
    if "content-length" in fields:
        return "length", await reader.readexactly(int(fields["content-length"]))
    return "none", b""


def reset(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def one_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Answers one request; true while the connection goes on."""
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")[:-2]
    say("request", line=lines[0], head=head.decode("latin-1"))
    path = lines[0].split(" ")[1].split("?")[0]
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}

    if path in SCRIPTS:
        answer, ending = SCRIPTS[path]
        if path not in EARLY:
            await read_body(reader, fields)
        writer.write(answer)
        await writer.drain()
        if ending == "stay":
            await reader.read()
        elif ending == "cut":
            writer.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        elif ending == "reset":
            await asyncio.sleep(0.05)  # a reset at once would take the bytes before it along
            reset(writer)
        return ending == "keep"

    if fields.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    if path.startswith("/slow/"):
        await asyncio.sleep(int(path.split("/")[2]) / 1000)
    framing, body = await read_body(reader, fields)
    if path == "/head":
        answer = head
    else:
        answer = json.dumps(
            {"path": path, "framing": framing, "length": len(body), "sha256": hashlib.sha256(body).hexdigest()}
        ).encode()
    writer.write(OK + b"Content-Length: %d\r\n\r\n" % len(answer) + answer)
    await writer.drain()
    return True


async def http(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while await one_request(reader, writer):
            pass
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def collect_and_return(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        everything = await reader.read()
        writer.write(everything)
        await writer.drain()
    except ConnectionError:
        say("reset")
    finally:
        writer.close()


async def main() -> None:
    listening("http", await asyncio.start_server(http, "127.0.0.1", 0, limit=1 << 20))
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        listening("https", await asyncio.start_server(http, "127.0.0.1", 0, limit=1 << 20, ssl=context))
    listening("tcp", await asyncio.start_server(collect_and_return, "127.0.0.1", 0))
    await asyncio.Event().wait()


asyncio.run(main())

#!/usr/bin/env python3
"""websocket_client.py URL: echoes texts and a large binary message over an upgraded connection. For http:// aiohttp
sends the upgrade to the proxy of the environment in absolute form, for https:// inside CONNECT."""

import asyncio
import os
import sys

import aiohttp


async def main() -> None:
    async with aiohttp.ClientSession(trust_env=True) as session, session.ws_connect(sys.argv[1], timeout=20) as socket:
        for text in ["hello", "", "é" * 1000]:
            await socket.send_str(text)
            assert await socket.receive_str() == text, "another text came back"
        blob = os.urandom(1 << 20)
        await socket.send_bytes(blob)
        assert await socket.receive_bytes() == blob, "other bytes came back"
    assert socket.close_code == 1000, f"closed with {socket.close_code}"
    print("echoed 4 messages")


asyncio.run(main())

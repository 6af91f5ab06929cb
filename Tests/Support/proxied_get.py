#!/usr/bin/env python3
"""proxied_get.py CLIENT URL COOKIE: one GET through the proxy of the environment, by the Python client of that name;
prints the status and, on the next lines, the body. http.client knows no proxies: it gets the proxy's address and sends
the whole URL as its request target."""

import asyncio
import http.client
import os
import sys
import urllib.request
from urllib.parse import urlsplit


def with_httpx(url: str, fields: dict[str, str]) -> tuple[int, str]:
    import httpx

    answer = httpx.get(url, headers=fields, timeout=20)
    return answer.status_code, answer.text


def with_aiohttp(url: str, fields: dict[str, str]) -> tuple[int, str]:
    import aiohttp

    async def get() -> tuple[int, str]:
        async with (
            aiohttp.ClientSession(trust_env=True, timeout=aiohttp.ClientTimeout(total=20)) as session,
            session.get(url, headers=fields) as answer,
        ):
            return answer.status, await answer.text()

    return asyncio.run(get())


def with_urllib(url: str, fields: dict[str, str]) -> tuple[int, str]:
    with urllib.request.urlopen(urllib.request.Request(url, headers=fields), timeout=20) as answer:
        return answer.status, answer.read().decode()


def with_requests(url: str, fields: dict[str, str]) -> tuple[int, str]:
    import requests

    answer = requests.get(url, headers=fields, timeout=20)
    return answer.status_code, answer.text


def with_http_client(url: str, fields: dict[str, str]) -> tuple[int, str]:
    proxy = urlsplit(os.environ["http_proxy"])
    connection = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=20)
    connection.request("GET", url, headers={"Host": urlsplit(url).netloc, **fields})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


clients = {
    "httpx": with_httpx,
    "aiohttp": with_aiohttp,
    "urllib": with_urllib,
    "requests": with_requests,
    "http.client": with_http_client,
}
name, target, cookie = sys.argv[1:]
status, body = clients[name](target, {"Cookie": cookie})
print(status)
print(body)

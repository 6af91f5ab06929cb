#!/usr/bin/env python3
"""page_client.py ADMIN PROXY TOKEN_FILE [FOLDER]: a browser without a window looks at the web page of the admin
listener, by the keyboard alone where something is to be done. Prints what it found as JSON; leaves screenshots
in FOLDER."""

import json
import pathlib
import sys
import urllib.request

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

admin, proxy, token_file = sys.argv[1:4]
folder = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
token = pathlib.Path(token_file).read_text().strip()

options = webdriver.ChromeOptions()
for argument in (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--window-size=1200,1400",
    "--no-proxy-server",
):
    options.add_argument(argument)
options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))


def wait(condition):
    return WebDriverWait(browser, 20, 0.05).until(condition)


def text(selector: str) -> str:
    return browser.find_element(By.CSS_SELECTOR, selector).text


def rows() -> list[str]:
    # In one step: a row that was found may be gone when it is asked for its text.
    script = "return [...document.querySelectorAll('#flows tbody tr')].map(row => row.innerText)"
    return browser.execute_script(script)


def press(*keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def focused() -> str:
    script = "const e = document.activeElement; return e.getAttribute('aria-label') || e.innerText || e.name || e.id"
    return browser.execute_script(script)


def tab_to(label: str) -> list[str]:
    """Every stop on the way to the one that is called so."""
    stops = []
    while len(stops) < 60:
        press(Keys.TAB)
        stops.append(focused())
        if stops[-1] == label:
            return stops
    raise LookupError(f"the keyboard does not reach {label!r}: {stops}")


def filtered(count: int) -> str:
    """What the rows say once there are so many, and where the archive of them is."""
    wait(lambda _: len(rows()) == count)
    return browser.find_element(By.ID, "archive").get_attribute("href")


def choose(name: str, value: str) -> None:
    options = Select(browser.find_element(By.NAME, name)).options
    next(option for option in options if option.get_property("value") == value).click()


def request(path: str) -> None:
    """A request of some client."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": f"http://{proxy}"}))
    opener.open(f"http://shop.test{path}", timeout=20).close()


def use_filters() -> dict:
    """Types and chooses filters, pauses and goes on, asks for the archive that is offered."""
    seen = {}
    host = browser.find_element(By.NAME, "host")
    host.send_keys("shop.test")
    filtered(3)
    host.send_keys("x")
    filtered(0)
    seen["nothing fits"] = browser.find_element(By.ID, "no-match").is_displayed()
    host.clear()
    host.send_keys("s", Keys.BACKSPACE)  # clear() alone is no typing
    filtered(4)
    choose("status", "4xx")
    filtered(1)
    choose("provider", "none")
    archive = filtered(1)
    with urllib.request.urlopen(archive, timeout=20) as answer:
        seen["archive"] = [entry["response"]["status"] for entry in json.load(answer)["log"]["entries"]]
    choose("provider", "")
    choose("status", "")
    filtered(4)
    pause = browser.find_element(By.ID, "pause")
    pause.click()
    seen["pressed"] = pause.get_attribute("aria-pressed")
    request("/get?while-paused")
    with urllib.request.urlopen(f"http://{admin}/v1/flows", timeout=20) as answer:
        seen["while paused"] = [len(rows()), len(json.load(answer)["flows"]) >= 4]
    host.send_keys("shop.test")
    filtered(4)  # the three of before and the new one
    pause.click()
    request("/get")
    filtered(5)
    host.clear()
    host.send_keys("s", Keys.BACKSPACE)
    filtered(6)
    return seen


def shoot(name: str) -> None:
    if folder:
        browser.save_screenshot(str(folder / f"{name}.png"))


def media(scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


found = {}
try:
    browser.get(f"http://{admin}/")
    wait(lambda _: text(".card .badge") == "fresh")
    wait(lambda _: rows())
    found["card"] = text(".card")
    found["rows"] = rows()
    shoot("light")
    media("dark")
    shoot("dark")

    label = "Refresh the token of shop now"
    found["first stop"] = tab_to(label)[0]
    press(Keys.ENTER)
    wait(lambda _: browser.find_element(By.ID, "ask").is_displayed())
    shoot("dialog")
    press("wrong-token", Keys.ENTER)
    wait(lambda _: "not the proxy's admin token" in text("#ask-error"))
    press(token, Keys.ENTER)
    wait(lambda _: "has a new token" in text("#message"))
    found["focus after"] = focused()
    press(Keys.TAB, Keys.ENTER)  # Expire: the token is not asked for again
    wait(lambda _: "counts as expired" in text("#message"))
    found["filters"] = use_filters()

    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 2200, "deviceScaleFactor": 2, "mobile": True}
    )
    found["phone"] = browser.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    shoot("phone-dark")
    media("light")
    shoot("phone")
    script = "return performance.getEntriesByType('resource').map(e => new URL(e.name).origin)"
    found["origins"] = sorted(set(browser.execute_script(script)))
    found["page"] = browser.page_source
    found["console"] = [entry["message"] for entry in browser.get_log("browser") if " 401 " not in entry["message"]]
finally:
    browser.quit()
print(json.dumps(found))

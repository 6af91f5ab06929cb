#!/usr/bin/env python3
"""page_client.py ADMIN TOKEN_FILE [FOLDER]: a browser without a window looks at the web page of the admin listener,
by the keyboard alone where something is to be done. Prints what it found as JSON; leaves screenshots in FOLDER."""

import json
import pathlib
import sys

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

admin, token_file = sys.argv[1:3]
folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
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
    return [row.text for row in browser.find_elements(By.CSS_SELECTOR, "#flows tbody tr")]


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

// swift-format-ignore-file
// Made by scripts/embed-pages of the files beside it: change those, then run it.

/// page.html, page.css, page.js
enum PageFiles {
    static let html = #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>waf-token-proxy</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header>
  <h1>waf-token-proxy</h1>
  <p id="summary" role="status">Loading …</p>
</header>
<main id="main" tabindex="-1">
  <p id="message" role="status" hidden></p>

  <section aria-labelledby="providers-title">
    <h2 id="providers-title">Token providers</h2>
    <div id="providers" class="cards"></div>
  </section>

  <section aria-labelledby="flows-title">
    <h2 id="flows-title">Requests</h2>
    <form id="filter" class="filter">
      <label>Host <input name="host" placeholder="shop.test or *.shop.test" autocomplete="off" spellcheck="false"></label>
      <label>Provider <select name="provider"><option value="">any</option><option value="none">not listed</option></select></label>
      <label>Verdict <select name="verdict">
        <option value="">any</option><option>challenge</option><option>captcha</option><option>blocked</option>
        <option value="none">not judged</option>
      </select></label>
      <label>Status <select name="status">
        <option value="">any</option><option>2xx</option><option>3xx</option><option>4xx</option><option>5xx</option>
      </select></label>
      <button type="button" id="pause" aria-pressed="false">Pause</button>
      <a id="archive" class="button" href="/v1/flows.har" download="flows.har">Save as HAR</a>
    </form>
    <div class="scroll" tabindex="0" role="region" aria-labelledby="flows-title">
      <table id="flows">
        <thead><tr>
          <th scope="col">Time</th><th scope="col">Method</th><th scope="col">URL</th><th scope="col">Status</th>
          <th scope="col">Verdict</th><th scope="col">Token</th><th scope="col" class="number">Took</th>
          <th scope="col">Client</th>
        </tr></thead>
        <tbody></tbody>
      </table>
    </div>
    <p id="no-flows" class="empty">No request yet. Point a client at the proxy: see <a href="#setup-title">Set-up</a>.</p>
    <p id="no-match" class="empty" hidden>No request fits the filter.</p>
  </section>

  <section aria-labelledby="clients-title">
    <h2 id="clients-title">Clients that do not trust the proxy</h2>
    <div id="clients" class="cards"></div>
    <p id="no-clients" class="empty">None has been seen.</p>
  </section>

  <section aria-labelledby="setup-title">
    <h2 id="setup-title">Set-up</h2>
    <p>Tell clients where the proxy is:</p>
    <div id="proxy-lines" class="lines"></div>
    <div id="authority" hidden>
      <p>Listed hosts are intercepted, so clients have to trust the proxy's certificate authority:
        <a id="ca" href="/ca.pem" download="waf-token-proxy-ca.pem">download ca.pem</a>. Make a bundle of it and the
        roots of your system:</p>
      <div class="lines"><code>cat /etc/ssl/certs/ca-certificates.crt ca.pem &gt; bundle.pem</code></div>
      <p>Then, by what a client runs on:</p>
      <dl id="runtimes"></dl>
    </div>
  </section>
</main>

<dialog id="ask" aria-labelledby="ask-title">
  <form method="dialog">
    <h2 id="ask-title">Admin token</h2>
    <p>This needs the proxy's admin token. It is kept in this page's memory alone and forgotten when you leave.</p>
    <p>Where the proxy runs, its user finds it with</p>
    <div class="lines"><code id="token-path"></code></div>
    <label>Token <input id="token" type="password" autocomplete="off" required></label>
    <p id="ask-error" class="error" role="alert" hidden></p>
    <menu><button type="button" id="cancel">Cancel</button><button value="ok" class="primary">Use it</button></menu>
  </form>
</dialog>
<noscript><p class="error">This page shows what <code>/v1/status</code> and <code>/v1/flows</code> say, and needs JavaScript for it.</p></noscript>
</body>
</html>

"""#
    static let css = #"""
:root {
  color-scheme: light dark;
  --text: #1c2024;
  --soft: #5a6470;
  --line: #d5dae0;
  --page: #f5f6f8;
  --card: #ffffff;
  --accent: #0b5cad;
  --good: #12733a;
  --warn: #8a5300;
  --bad: #b3261e;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ed;
    --soft: #a3adb8;
    --line: #39414a;
    --page: #14171a;
    --card: #1d2226;
    --accent: #7db8f5;
    --good: #6fd397;
    --warn: #f0bd6a;
    --bad: #ff9a92;
  }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--text); background: var(--page); }
header, main { max-width: 76rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 1.5rem; padding-top: 1rem; }
h1 { font-size: 1.35rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
p { margin: .4rem 0; }
#summary { color: var(--soft); margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
code { font: .875em/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, monospace; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -99rem; background: var(--card); padding: .5rem 1rem; }
.skip:focus { left: .5rem; top: .5rem; z-index: 1; }
[hidden] { display: none !important; }
.empty { color: var(--soft); }
.error { color: var(--bad); }
#message { border-left: 4px solid var(--accent); background: var(--card); padding: .5rem .8rem; margin-top: 1rem; }
#message.error { border-color: var(--bad); }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(22rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; min-width: 0; }
.card h3 { display: flex; align-items: center; gap: .6rem; font-size: 1rem; margin: 0 0 .4rem; overflow-wrap: anywhere; }
.badge { font-size: .8rem; font-weight: 600; border: 1px solid; border-radius: 99px; padding: 0 .6rem; white-space: nowrap; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); }
.card dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.actions { display: flex; gap: .5rem; margin-top: .8rem; }

button, .button, input, select { font: inherit; color: inherit; }
button, .button {
  background: var(--card); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .8rem; min-height: 2.25rem;
  cursor: pointer; text-decoration: none; display: inline-flex; align-items: center;
}
button:hover, .button:hover { border-color: var(--accent); color: var(--accent); }
button[aria-pressed="true"], .primary { background: var(--accent); border-color: var(--accent); color: var(--card); }
.primary:hover { color: var(--card); }
button[aria-disabled="true"] { opacity: .55; cursor: progress; }
input, select {
  background: var(--card); border: 1px solid var(--soft); border-radius: 6px; padding: .25rem .5rem; min-height: 2.25rem;
  max-width: 100%;
}

.filter { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; margin-bottom: .8rem; }
.filter label { display: grid; color: var(--soft); font-size: .875rem; }
.filter input, .filter select { color: var(--text); font-size: 1rem; }
.scroll { max-height: 32rem; overflow: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .35rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 600; white-space: nowrap; }
td { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.url { white-space: normal; overflow-wrap: anywhere; min-width: 14rem; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; }

.lines { display: grid; gap: .4rem; margin: .4rem 0; }
.lines code, #runtimes code {
  display: block; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem;
  overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere;
}
.line { display: flex; gap: .5rem; align-items: start; }
.line code { flex: 1; min-width: 0; }
#runtimes { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1rem; align-items: baseline; }
#runtimes dt { color: var(--text); }
main { padding-bottom: 4rem; }

dialog { color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 10px; max-width: min(34rem, calc(100vw - 2rem)); }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog h2 { margin-top: 0; }
dialog label { display: grid; margin-top: .8rem; }
menu { display: flex; justify-content: flex-end; gap: .5rem; padding: 0; margin: 1rem 0 0; }

@media (max-width: 46rem) {
  #flows thead { position: absolute; left: -99rem; }
  #flows tbody tr { display: flex; flex-wrap: wrap; gap: 0 .8rem; padding: .5rem .7rem; border-bottom: 1px solid var(--line); }
  #flows td { display: block; border: 0; padding: 0; white-space: normal; }
  #flows td.url { order: -1; flex: 1 0 100%; min-width: 0; }
  #flows td:empty { display: none; }
  #flows td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
  .number { text-align: left; }
  #runtimes { grid-template-columns: 1fr; gap: .2rem; }
  #runtimes dd { margin-bottom: .5rem; }
  .filter label, .filter input, .filter select { width: 100%; }
  .filter label { flex: 1 1 40%; }
}

"""#
    static let script = #"""
"use strict";
// Shows what the admin API says. Text from outside goes through textContent alone.

const byId = (id) => document.getElementById(id);
const rowLimit = 200;
let token = null; // in memory alone
let seen = 0; // number of the last flow that is shown
let paused = false;
let generation = 0; // of the filter: answers to an older one are dropped
let shown = -1; // the generation that stands in the table

function make(tag, content, className) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const part of [content].flat()) if (part !== undefined && part !== null) element.append(part);
  return element;
}

function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  const whole = Math.round(seconds);
  if (Math.abs(whole) < 120) return `${whole} s`;
  if (Math.abs(whole) < 7200) return `${Math.round(whole / 60)} min`;
  return `${Math.round(whole / 3600)} h`;
}

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function call(method, path) {
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const answer = await fetch(path, { method, headers, cache: "no-store" });
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(answer.status, document.message || `status ${answer.status}`);
  return document;
}

// Asks for the token when the answer is 401, until it is right or the operator gives up.
async function callWithToken(method, path) {
  let complaint = "";
  for (;;) {
    if (!token && !(await askForToken(complaint))) throw new Refused(401, "the admin token is needed for this");
    try {
      return await call(method, path);
    } catch (error) {
      if (error.status !== 401) throw error;
      token = null;
      complaint = "This is not the proxy's admin token.";
    }
  }
}

function askForToken(complaint) {
  const dialog = byId("ask");
  const input = byId("token");
  byId("ask-error").textContent = complaint;
  byId("ask-error").hidden = !complaint;
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  input.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "ok") token = input.value.trim();
      input.value = "";
      resolve(Boolean(token));
    }, { once: true });
  });
}

function say(text, isError) {
  const message = byId("message");
  message.textContent = text;
  message.classList.toggle("error", Boolean(isError));
  message.hidden = !text;
}

async function act(button, name, action, done) {
  // Not disabled: the keyboard's focus would be lost.
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  try {
    await callWithToken("POST", `/v1/providers/${encodeURIComponent(name)}/${action}`);
    say(done);
  } catch (error) {
    say(`${name}: ${error.message}`, true);
  }
  button.removeAttribute("aria-disabled");
  await showStatus();
}

// Providers

const moods = { fresh: "good", idle: "good", fetching: "warn", stale: "warn", empty: "warn", expired: "bad", failing: "bad" };

// One card for each provider, kept from poll to poll so that the focus stays on its buttons.
const cards = new Map();

function card(name) {
  const known = cards.get(name);
  if (known) return known;
  const state = make("span", "", "badge");
  const facts = make("dl");
  const refresh = make("button", "Refresh now");
  const expire = make("button", "Expire");
  refresh.type = expire.type = "button";
  refresh.setAttribute("aria-label", `Refresh the token of ${name} now`);
  expire.setAttribute("aria-label", `Expire the token of ${name}`);
  refresh.addEventListener("click", () => act(refresh, name, "refresh", `${name} has a new token.`));
  expire.addEventListener("click", () => act(expire, name, "expire", `The token of ${name} counts as expired.`));
  const element = make("article", [make("h3", [name, state]), facts, make("div", [refresh, expire], "actions")], "card");
  const made = { element, state, facts };
  cards.set(name, made);
  return made;
}

function showProvider(provider) {
  const { state, facts } = card(provider.name);
  state.textContent = provider.state;
  state.className = `badge ${moods[provider.state] || ""}`;
  const held = provider.token;
  const last = provider.lastFetch;
  const rows = [
    ["Token", held ? make("code", held.fingerprint) : "none"],
    ["Age", held ? duration(held.ageSec) : "–"],
    ["Expires", held ? (held.expiresInSec === null ? "never" : held.expiresInSec < 0 ? "expired" : `in ${duration(held.expiresInSec)}`) : "–"],
    ["Next refresh", provider.nextRefreshSec === null ? "when it is needed" : `in ${duration(provider.nextRefreshSec)}`],
    ["Last fetch", last ? `${new Date(last.at).toLocaleTimeString()}, ${last.outcome}` : "–"],
  ];
  if (last && last.error) rows.push(["Error", make("span", last.error, "bad")]);
  if (provider.waiting) rows.push(["Waiting", `${provider.waiting} requests`]);
  if (provider.budgetTrips) rows.push(["Budget", make("span", `used up ${provider.budgetTrips} times`, "warn")]);
  rows.push(["Hosts", provider.hosts.join(", ")]);
  facts.replaceChildren(...rows.flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
}

function showChoices(providers) {
  const select = byId("filter").elements.provider;
  const wanted = ["", "none", ...providers.map((provider) => provider.name)];
  if (wanted.length === select.options.length && wanted.every((value, index) => select.options[index].value === value)) return;
  const chosen = select.value;
  const rest = providers.map((provider) => new Option(provider.name, provider.name));
  select.replaceChildren(select.options[0], select.options[1], ...rest);
  select.value = wanted.includes(chosen) ? chosen : "";
}

async function showStatus() {
  const status = await call("GET", "/v1/status");
  const { connections, tunnels } = status.counters;
  byId("summary").textContent =
    `${status.version} · up ${duration(status.uptimeSec)} · listens on ${status.listen.join(", ")} · ` +
    `${connections} connections, ${tunnels} tunnels`;
  const list = byId("providers");
  const names = status.providers.map((provider) => provider.name);
  for (const name of [...cards.keys()]) if (!names.includes(name)) cards.delete(name);
  const wanted = names.map((name) => card(name).element);
  if (wanted.length !== list.children.length || wanted.some((element, index) => list.children[index] !== element)) {
    list.replaceChildren(...wanted);
  }
  if (!names.length) list.replaceChildren(make("p", "No provider is set: no request gets a token.", "empty"));
  status.providers.forEach(showProvider);
  showChoices(status.providers);
  showProxyLines(status.listen);
}

// Flows

const judged = { challenge: "warn", captcha: "bad", blocked: "bad" };

function row(flow) {
  const scheme = flow.scheme ? `${flow.scheme}://` : "";
  const usual = { http: 80, https: 443 }[flow.scheme];
  const port = flow.port && flow.port !== usual ? `:${flow.port}` : "";
  const url = `${scheme}${flow.host || ""}${port}${flow.path || ""}`;
  const replayed = flow.replays ? ` (replayed ${flow.replays}×)` : "";
  const mood = flow.status >= 500 ? "bad" : flow.status >= 400 ? "warn" : "";
  const cells = [
    make("td", new Date(flow.ts).toLocaleTimeString()),
    make("td", flow.method),
    make("td", [make("span", url), flow.error ? make("span", ` ${flow.error}`, "bad") : null], "url"),
    make("td", flow.status ? String(flow.status) : "–", mood),
    make("td", flow.verdict ? `${flow.verdict}${replayed}` : replayed.trim(), judged[flow.verdict] || ""),
    make("td", flow.token ? make("code", flow.token) : null),
    make("td", flow.duration_ms === undefined ? "" : `${Math.round(flow.duration_ms * 10) / 10} ms`, "number"),
    make("td", flow.client || ""),
  ];
  cells[5].dataset.label = "token";
  cells[7].dataset.label = "from";
  return make("tr", cells);
}

function query() {
  const data = new FormData(byId("filter"));
  const parameters = new URLSearchParams();
  for (const [name, value] of data) if (value.trim()) parameters.set(name, value.trim());
  return parameters;
}

async function showFlows() {
  if (paused && shown === generation) return; // another filter holds while it is paused, too
  const mine = generation;
  const from = seen;
  const parameters = query();
  parameters.set("limit", rowLimit);
  if (seen) parameters.set("since", seen);
  const answer = await call("GET", `/v1/flows?${parameters}`);
  if (mine !== generation || from !== seen) return; // the filter is another one, or another call was quicker
  if (answer.last < seen) return restart(); // the proxy was started again
  seen = answer.last;
  shown = mine;
  const body = byId("flows").tBodies[0];
  const fresh = answer.flows.toSorted((one, other) => other.id - one.id).map(row);
  body.prepend(...fresh);
  while (body.rows.length > rowLimit) body.lastElementChild.remove();
  const isEmpty = body.rows.length === 0;
  const isFiltered = [...query()].length > 0;
  byId("no-flows").hidden = !isEmpty || isFiltered;
  byId("no-match").hidden = !isEmpty || !isFiltered;
  document.querySelector(".scroll").hidden = isEmpty;
}

function restart() {
  generation += 1;
  seen = 0;
  byId("flows").tBodies[0].replaceChildren();
  const parameters = query();
  parameters.set("limit", "100000");
  byId("archive").href = `/v1/flows.har?${parameters}`;
}

// Clients and set-up

async function showClients() {
  const { clients, runtimes } = await call("GET", "/v1/clients");
  byId("no-clients").hidden = clients.length > 0;
  byId("clients").replaceChildren(...clients.map((client) => {
    const rows = [["Wanted", client.host], ["Sign", client.sign], ["Seen", `${client.count}×`]];
    if (client.set) rows.push(["Set", make("code", client.set)]);
    const list = make("dl", rows.flatMap(([name, value]) => [make("dt", name), make("dd", value)]));
    return make("article", [make("h3", `${client.client} (${client.runtime})`), list], "card");
  }));
  const list = byId("runtimes");
  if (list.children.length) return;
  list.append(...runtimes.flatMap((runtime) => [make("dt", runtime.name), make("dd", make("code", runtime.set))]));
}

let shownListen = "";
function showProxyLines(listen) {
  if (shownListen === listen.join()) return;
  shownListen = listen.join();
  const address = (listen[0] || "").replace(/^0\.0\.0\.0:/, "127.0.0.1:").replace(/^\[::\]:/, "[::1]:");
  const lines = [`export http_proxy=http://${address} https_proxy=http://${address}`, `curl -x http://${address} http://HOST/`];
  byId("proxy-lines").replaceChildren(...lines.map(copyable));
}

function copyable(text) {
  const button = make("button", "Copy");
  button.type = "button";
  button.setAttribute("aria-label", `Copy ${text}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
    } catch {
      say("The browser does not let this page copy; select the line instead.", true);
    }
  });
  return make("div", [make("code", text), button], "line");
}

async function lookForAuthority() {
  const answer = await fetch("/ca.pem", { method: "HEAD" });
  byId("authority").hidden = !answer.ok;
}

// Polling: one call at a time for each part; nothing while nobody looks.

let unreachable = false;
async function poll(work, milliseconds) {
  for (;;) {
    if (!document.hidden) {
      try {
        await work();
        if (unreachable) {
          unreachable = false;
          say("");
        }
      } catch (error) {
        if (error.status === 401) {
          await callWithToken("GET", "/v1/status").catch(() => {});
        } else if (!error.status) {
          unreachable = true;
          say("The proxy does not answer.", true);
        } else {
          say(error.message, true);
        }
      }
    }
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

byId("token-path").textContent = `cat "\${XDG_RUNTIME_DIR:-/tmp}"/waf-token-proxy*/admin-${location.host}.token`;
byId("cancel").addEventListener("click", () => byId("ask").close(""));
byId("filter").addEventListener("submit", (event) => event.preventDefault());
let applied = "";
for (const event of ["input", "change"]) { // selects are changed without input by some tools
  byId("filter").addEventListener(event, () => {
    if (applied === String(query())) return;
    applied = String(query());
    restart();
    showFlows().catch((error) => say(error.message, true));
  });
}
byId("pause").addEventListener("click", (event) => {
  paused = !paused;
  event.target.setAttribute("aria-pressed", String(paused));
  event.target.textContent = paused ? "Go on" : "Pause";
});
lookForAuthority().catch(() => {});
poll(showStatus, 1000);
poll(showFlows, 1000);
poll(showClients, 5000);

"""#
}

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

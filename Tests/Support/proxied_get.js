// proxied_get.js URL COOKIE [fetch]: one GET through the proxy of the environment; prints the status and then the body.
// Node's own clients take no notice of the variables before version 24 (NODE_USE_ENV_PROXY): a plain request goes to the
// proxy's address, with the whole URL as its path; one over TLS takes an agent, and `fetch` is left to Node.
const http = require("node:http");
const https = require("node:https");

const [url, cookie, how] = process.argv.slice(2);

function show(answer) {
  console.log(answer.statusCode);
  answer.pipe(process.stdout);
}

function plain() {
  const proxy = new URL(process.env.http_proxy);
  const headers = { Host: new URL(url).host, Cookie: cookie };
  return http.request({ host: proxy.hostname, port: proxy.port, path: url, headers, timeout: 20000 }, show);
}

function overTLS() {
  const agent = require("https-proxy-agent"); // Debian's package node-https-proxy-agent
  const Agent = agent.HttpsProxyAgent || agent;
  const options = { agent: new Agent(process.env.https_proxy), headers: { Cookie: cookie }, timeout: 20000 };
  return https.request(url, options, show);
}

async function fetched() {
  const answer = await fetch(url, { headers: { Cookie: cookie } });
  console.log(answer.status);
  process.stdout.write(await answer.text());
}

if (how === "fetch") {
  fetched();
} else {
  const request = url.startsWith("https:") ? overTLS() : plain();
  request.on("timeout", () => request.destroy(new Error("no answer in time")));
  request.end();
}

// A test of the protected endpoint that knows nothing of tokens: node --test Examples/clients/node
//
// Node trusts the proxy's authority by NODE_EXTRA_CA_CERTS. It reads https_proxy by itself from version 24 on
// (NODE_USE_ENV_PROXY); before, an agent does (npm: https-proxy-agent; Debian: node-https-proxy-agent).
const assert = require("node:assert");
const http = require("node:http");
const https = require("node:https");
const test = require("node:test");

function get(options, module) {
  return new Promise((resolve, reject) => {
    module.get(options, (answer) => resolve(answer.resume())).on("error", reject);
  });
}

test("the protected page over https", async () => {
  const agent = require("https-proxy-agent");
  const Agent = agent.HttpsProxyAgent || agent;
  const options = { host: "shop.test", path: "/protected/get", agent: new Agent(process.env.https_proxy) };
  assert.strictEqual((await get(options, https)).statusCode, 200);
});

test("the protected page over http", async () => {
  const proxy = new URL(process.env.http_proxy);
  const options = { host: proxy.hostname, port: proxy.port, path: "http://shop.test/protected/get" };
  assert.strictEqual((await get({ ...options, headers: { Host: "shop.test" } }, http)).statusCode, 200);
});

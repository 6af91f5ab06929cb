// proxied_get.js URL COOKIE: one GET through the proxy of the environment; prints the status and then the body. Node 20
// takes no notice of the variable: the request goes to the proxy's address, with the whole URL as its path.
const http = require("node:http");

const [url, cookie] = process.argv.slice(2);
const proxy = new URL(process.env.http_proxy);
const request = http.request(
  {
    host: proxy.hostname,
    port: proxy.port,
    path: url,
    headers: { Host: new URL(url).host, Cookie: cookie },
    timeout: 20000,
  },
  (answer) => {
    console.log(answer.statusCode);
    answer.pipe(process.stdout);
  },
);
request.on("timeout", () => request.destroy(new Error("no answer in time")));
request.end();

-- wrk … -- TARGET HOST: GETs with TARGET as the request target (absolute form for a proxy, origin form for an origin).
-- wrk itself only sends origin form. Ends with one line of JSON.

local text

function init(args)
    text = "GET " .. args[1] .. " HTTP/1.1\r\nHost: " .. args[2] .. "\r\n\r\n"
end

function request()
    return text
end

function done(summary, latency, requests)
    local errors = summary.errors
    io.write(string.format(
        '{"requests":%d,"microseconds":%d,"errors":%d,"non2xx":%d,"p50":%d,"p99":%d}\n',
        summary.requests, summary.duration, errors.connect + errors.read + errors.write + errors.timeout,
        errors.status, latency:percentile(50), latency:percentile(99)))
end

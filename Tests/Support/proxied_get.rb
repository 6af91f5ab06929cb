# ruby proxied_get.rb URL COOKIE: one GET through the proxy of the environment; prints the status and then the body.
require "net/http"

url = URI(ARGV[0])
options = { use_ssl: url.scheme == "https", open_timeout: 20, read_timeout: 20 }
answer = Net::HTTP.start(url.host, url.port, **options) do |http|
  http.get(url.request_uri, { "Cookie" => ARGV[1] })
end
puts answer.code, answer.body

# Asks the protected endpoint and knows nothing of tokens: ruby Examples/clients/ruby/shop.rb
#
# Net::HTTP reads http_proxy, for https as well, and the roots from SSL_CERT_FILE; `waf-token-proxy exec` sets both.
require "net/http"

%w[http https].each do |scheme|
  answer = Net::HTTP.get_response(URI("#{scheme}://shop.test/protected/get"))
  abort "#{scheme}: the endpoint answered #{answer.code}" unless answer.code == "200"
end

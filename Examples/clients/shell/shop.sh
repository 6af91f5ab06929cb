#!/bin/sh
# Asks the protected endpoint and knows nothing of tokens: Examples/clients/shell/shop.sh
#
# curl reads http_proxy, https_proxy and CURL_CA_BUNDLE, wget the first two and SYSTEM_WGETRC; `waf-token-proxy exec` sets
# them all.
set -eu
for scheme in http https; do
    curl -sS --fail -o /dev/null "$scheme://shop.test/protected/get"
    wget -q -O /dev/null --tries=1 "$scheme://shop.test/protected/get"
done

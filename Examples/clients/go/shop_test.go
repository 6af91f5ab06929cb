// Package shop tests the protected endpoint and knows nothing of tokens: cd Examples/clients/go && go test
//
// Go's default transport reads https_proxy, and the roots from SSL_CERT_FILE; `waf-token-proxy exec` sets both.
package shop

import (
	"net/http"
	"testing"
)

func TestProtectedPage(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		answer, err := http.Get(scheme + "://shop.test/protected/get")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: the endpoint answered %d", scheme, answer.StatusCode)
		}
	}
}

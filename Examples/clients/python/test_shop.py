"""A test of the protected endpoint that knows nothing of tokens: pytest Examples/clients/python

Nothing is set up here. `requests` reads https_proxy and REQUESTS_CA_BUNDLE, which `waf-token-proxy exec` sets.
"""

import pytest
import requests


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_protected_page(scheme):
    answer = requests.get(f"{scheme}://shop.test/protected/get", timeout=20)
    assert answer.status_code == 200
    assert answer.json()["target"] == "/protected/get"

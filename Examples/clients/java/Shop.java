import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * Asks the protected endpoint and knows nothing of tokens: java Examples/clients/java/Shop.java
 *
 * <p>Both of Java's clients read the proxy and the trust store from JAVA_TOOL_OPTIONS, which `waf-token-proxy exec` sets.
 */
public class Shop {
    public static void main(String[] arguments) throws Exception {
        for (String scheme : new String[] {"http", "https"}) {
            URI page = URI.create(scheme + "://shop.test/protected/get");
            HttpRequest request = HttpRequest.newBuilder(page).build();
            HttpClient client = HttpClient.newHttpClient();
            expect(client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
            expect(((HttpURLConnection) page.toURL().openConnection()).getResponseCode());
        }
    }

    private static void expect(int status) {
        if (status != 200) {
            throw new AssertionError("the endpoint answered " + status);
        }
    }
}

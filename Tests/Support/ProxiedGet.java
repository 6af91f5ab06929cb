import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * java ProxiedGet.java URL COOKIE [URLConnection]: one GET through the proxy of Java's properties, or else of the
 * environment; prints the status and then the body.
 */
public class ProxiedGet {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 2) {
            withConnection(arguments[0], arguments[1]);
        } else {
            withClient(arguments[0], arguments[1]);
        }
    }

    private static void withClient(String url, String cookie) throws Exception {
        HttpClient.Builder builder = HttpClient.newBuilder();
        if (System.getProperty("http.proxyHost") == null) {
            URI proxy = URI.create(System.getenv("http_proxy"));
            builder.proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())));
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Cookie", cookie)
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<String> answer = builder.build().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode());
        System.out.println(answer.body());
    }

    /** Of https URLs this is an HttpsURLConnection. */
    private static void withConnection(String url, String cookie) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
        connection.setRequestProperty("Cookie", cookie);
        connection.setReadTimeout(20000);
        System.out.println(connection.getResponseCode());
        System.out.println(new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    }
}

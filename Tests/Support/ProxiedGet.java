import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** java ProxiedGet.java URL COOKIE: one GET through the proxy of the environment; prints the status and then the body. */
public class ProxiedGet {
    public static void main(String[] arguments) throws Exception {
        URI proxy = URI.create(System.getenv("http_proxy"));
        HttpClient client = HttpClient.newBuilder()
                .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())))
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0]))
                .header("Cookie", arguments[1])
                .timeout(Duration.ofSeconds(20))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode());
        System.out.println(answer.body());
    }
}

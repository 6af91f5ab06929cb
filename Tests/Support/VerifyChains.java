// Verifies chains with Java's PKIX trust manager: the root alone stands in its key store.
//
//     java VerifyChains.java FOLDER NAME...    FOLDER/NAME holds root.pem and chain.pem (leaf first)
//
// Prints one line a name: "NAME ok" or "NAME refused: REASON".
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

public class VerifyChains {
    static Collection<? extends Certificate> read(Path path) throws Exception {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        return factory.generateCertificates(new ByteArrayInputStream(Files.readAllBytes(path)));
    }

    public static void main(String[] arguments) throws Exception {
        for (int index = 1; index < arguments.length; index++) {
            Path folder = Path.of(arguments[0], arguments[index]);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("root", read(folder.resolve("root.pem")).iterator().next());
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init(store);
            X509Certificate[] chain = read(folder.resolve("chain.pem")).toArray(new X509Certificate[0]);
            String verdict = "ok";
            try {
                ((X509TrustManager) factory.getTrustManagers()[0]).checkServerTrusted(chain, "ECDHE_ECDSA");
            } catch (CertificateException | RuntimeException refusal) {
                verdict = "refused: " + refusal;
            }
            System.out.println(arguments[index] + " " + verdict);
        }
    }
}

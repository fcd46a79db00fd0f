package gateway.policies.cache;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import java.util.List;

/// Tells callers apart by all that a request shows of them: who the gateway has found them to be, credentials that go
/// on to the upstream, cookies, a certificate. A digest, so that no key holds a credential.
final class CallerMark {
    private static final List<String> CREDENTIALS =
            List.of("Authorization", "Proxy-Authorization", "X-Api-Key", "Cookie");

    private CallerMark() {}

    /// Empty text for a request that shows nothing.
    static String of(Exchange exchange) {
        var shown = new KeyText();
        boolean any = false;
        if (exchange.consumer().isPresent()) {
            Consumer caller = exchange.consumer().get();
            shown.add("consumer").add(caller.id());
            any = true;
        }
        if (exchange.clientCertificate().isPresent()) {
            ClientCertificate certificate = exchange.clientCertificate().get();
            shown.add("certificate").add(certificate.sha256());
            any = true;
        }
        Headers fields = exchange.headers();
        for (String name : CREDENTIALS) {
            if (!fields.contains(name)) continue;
            shown.add(name);
            for (String value : fields.all(name)) shown.add(value);
            any = true;
        }
        return any ? shown.digest() : "";
    }
}

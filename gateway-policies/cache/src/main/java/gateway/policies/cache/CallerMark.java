package gateway.policies.cache;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Headers;
import java.util.List;

/// Tells callers apart by all that a request shows of them: who the gateway has found them to be, credentials that go
/// on to the upstream, cookies, a certificate. A digest, so that no key holds a credential.
final class CallerMark {
    static final List<String> CREDENTIALS =
            List.of("Authorization", "Proxy-Authorization", "X-Api-Key", NamedCookies.FIELD);

    private CallerMark() {}

    /// Empty text for a request that shows nothing.
    ///
    /// @param seen of the request
    /// @param cookies that tell answers apart whoever sends them
    static String of(Exchange exchange, SeenFields seen, NamedCookies cookies) {
        if (!shows(exchange, seen)) return "";
        Headers fields = seen.fields();
        var shown = new KeyText();
        if (exchange.consumer().isPresent()) {
            Consumer caller = exchange.consumer().get();
            shown.add("consumer").add(caller.id());
        }
        if (exchange.clientCertificate().isPresent()) {
            ClientCertificate certificate = exchange.clientCertificate().get();
            shown.add("certificate").add(certificate.sha256());
        }
        for (String name : CREDENTIALS) {
            List<String> values = name.equals(NamedCookies.FIELD) ? cookies.credentials(fields) : fields.all(name);
            if (values.isEmpty()) continue;
            shown.add(name);
            for (String value : values) shown.add(value);
        }
        return shown.isEmpty() ? "" : shown.digest();
    }

    private static boolean shows(Exchange exchange, SeenFields seen) {
        return seen.has(SeenFields.Kind.CREDENTIAL)
                || exchange.consumer().isPresent()
                || exchange.clientCertificate().isPresent();
    }
}

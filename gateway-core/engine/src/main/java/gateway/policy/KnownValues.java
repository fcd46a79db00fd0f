package gateway.policy;

import gateway.http.ClientCertificate;
import gateway.http.Consumer;
import gateway.http.Exchange;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/// Values that go by a name alone, such as `request.id`: the same wherever texts hold values.
public final class KnownValues {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Map<String, Function<Exchange, String>> BY_NAME = byName();

    /// Those that differ from request to request and say nothing of who calls.
    public static final List<String> OF_NOBODY = List.of("request.id", "time.unix", "random.uuid");

    private KnownValues() {}

    private static Map<String, Function<Exchange, String>> byName() {
        var values = new LinkedHashMap<String, Function<Exchange, String>>();
        values.put("request.id", Exchange::requestId);
        values.put("request.method", Exchange::method);
        values.put("request.path", Exchange::rawPath);
        values.put("request.host", Exchange::host);
        values.put("request.scheme", Exchange::scheme);
        values.put("response.status", exchange -> of(exchange.answer(), each -> Integer.toString(each.status())));
        values.put("client.ip", exchange -> exchange.clientAddress().getHostAddress());
        values.put("certificate.subject", exchange -> of(exchange.clientCertificate(), KnownValues::subject));
        values.put("certificate.sha256", exchange -> of(exchange.clientCertificate(), ClientCertificate::sha256));
        values.put("key.id", exchange -> of(exchange.consumer(), Consumer::id));
        values.put("key.name", exchange -> of(exchange.consumer(), Consumer::name));
        values.put("api.id", Exchange::api);
        values.put("time.unix", _ -> Long.toString(CLOCK.instant().getEpochSecond()));
        values.put("random.uuid", _ -> UUID.randomUUID().toString());
        return values;
    }

    private static String subject(ClientCertificate certificate) {
        return certificate.subject().getName(); // as in definitions of `mtls-auth` (RFC 2253)
    }

    private static <T> String of(Optional<T> holder, Function<T, String> what) {
        return holder.isPresent() ? what.apply(holder.get()) : "";
    }

    /// All that are known.
    public static List<String> names() {
        return new ArrayList<>(BY_NAME.keySet());
    }

    /// What gives the value of one request, empty text where it has none; empty for a name that is not known.
    public static Optional<Function<Exchange, String>> byName(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }
}

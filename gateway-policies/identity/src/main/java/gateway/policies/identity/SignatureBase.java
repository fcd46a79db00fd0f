package gateway.policies.identity;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.policies.identity.StructuredField.Bare;
import gateway.policies.identity.StructuredField.InnerList;
import gateway.policies.identity.StructuredField.Item;
import gateway.policies.identity.StructuredField.Kind;
import gateway.policies.identity.StructuredField.Member;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes of a request what RFC 9421 §2.5 has signed of it. Path and query are those that the client has sent, byte for
/// byte: whoever changes them on the way breaks the signature. For one request, by one thread: what components are
/// taken out of is read once, since whoever cannot sign chooses how many.
final class SignatureBase {
    private static final int MOST_COMPONENTS = 64;

    private final Exchange exchange;
    private final Map<String, Map<String, Member>> dictionaries = new HashMap<>(); // by field
    private @Nullable Map<String, List<String>> query; // its parameters; null until one is asked for

    SignatureBase(Exchange exchange) {
        this.exchange = exchange;
    }

    /// @throws BadSignatureException when a component is not there, or is there twice, or is none of a request
    String of(InnerList input) {
        if (input.items().size() > MOST_COMPONENTS) throw new BadSignatureException(SignatureFlaw.COMPONENT);
        Set<Item> seen = new HashSet<>();
        var base = new StringBuilder(512);
        for (Item each : input.items()) {
            if (!seen.add(each)) throw new BadSignatureException(SignatureFlaw.COMPONENT);
            each.write(base);
            base.append(": ").append(value(each)).append('\n');
        }
        base.append("\"@signature-params\": ");
        input.write(base);
        return base.toString();
    }

    private String value(Item component) {
        if (component.value().kind() != Kind.TEXT) throw unknown();
        String name = component.value().text();
        if (name.startsWith("@")) return derived(name, component.parameters());
        if (!HeaderText.isToken(name) || !name.equals(name.toLowerCase(Locale.ROOT))) throw unknown();
        return field(name, component.parameters());
    }

    private String field(String name, Map<String, Bare> parameters) {
        if (parameters.isEmpty()) return SignatureForm.value(exchange, name);
        if (parameters.size() > 1) throw unknown();
        if (Bare.TRUE.equals(parameters.get("bs"))) return octets(name);
        Bare key = parameters.get("key");
        if (key == null || key.kind() != Kind.TEXT) throw unknown(); // sf needs to know each field, req and tr are none
        Member member = dictionaries
                .computeIfAbsent(
                        name,
                        field -> StructuredField.dictionary(exchange.headers().all(field)))
                .get(key.text());
        if (member == null) throw unknown();
        var written = new StringBuilder();
        member.write(written);
        return written.toString();
    }

    /// Each line for itself, in Base64 (§2.1.3).
    private String octets(String name) {
        List<String> lines = exchange.headers().all(name);
        if (lines.isEmpty()) throw unknown();
        var written = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            if (i > 0) written.append(", ");
            byte[] line = SignatureForm.trimmed(lines.get(i)).getBytes(StandardCharsets.ISO_8859_1);
            written.append(':').append(Base64.getEncoder().encodeToString(line)).append(':');
        }
        return written.toString();
    }

    private String derived(String name, Map<String, Bare> parameters) {
        if (name.equals("@query-param")) return parameter(parameters);
        if (!parameters.isEmpty()) throw unknown();
        String path = exchange.rawPath();
        String asked = exchange.head().query();
        String target = asked.isEmpty() ? path : path + '?' + asked;
        return switch (name) {
            case "@method" -> exchange.method();
            case "@scheme" -> exchange.scheme();
            case "@authority" -> authority();
            case "@target-uri" -> exchange.scheme() + "://" + authority() + target;
            case "@request-target" -> target;
            case "@path" -> path;
            case "@query" -> '?' + asked;
            default -> throw unknown(); // of answers, or none
        };
    }

    /// In lower case, without the port that the scheme implies (§2.2.3).
    private String authority() {
        Optional<String> sent = exchange.headers().first("Host");
        if (sent.isEmpty()) return exchange.host();
        String host = sent.get().toLowerCase(Locale.ROOT);
        String implied = exchange.scheme().equals("https") ? ":443" : ":80";
        return host.endsWith(implied) ? host.substring(0, host.length() - implied.length()) : host;
    }

    /// The one value of a parameter (§2.2.8): servers differ in which of several they take.
    private String parameter(Map<String, Bare> named) {
        Bare name = named.get("name");
        if (name == null || name.kind() != Kind.TEXT || named.size() > 1) throw unknown();
        if (query == null) query = parameters(exchange.head().query());
        List<String> values = query.getOrDefault(name.text(), List.of());
        if (values.size() != 1) throw unknown();
        return values.getFirst();
    }

    private static Map<String, List<String>> parameters(String text) {
        var all = new HashMap<String, List<String>>();
        for (String each : text.split("&", -1)) {
            if (each.isEmpty()) continue;
            int equal = each.indexOf('=');
            String name = encoded(equal < 0 ? each : each.substring(0, equal));
            String value = encoded(equal < 0 ? "" : each.substring(equal + 1));
            all.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
        }
        return all;
    }

    /// Decoded and encoded again, so that there is one text for each value.
    private static String encoded(String sent) {
        try {
            byte[] octets = URLDecoder.decode(sent, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8);
            var text = new StringBuilder(octets.length);
            for (byte each : octets) {
                char c = (char) (each & 0xff);
                if (isPlain(c)) text.append(c);
                else text.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
            return text.toString();
        } catch (IllegalArgumentException e) {
            throw unknown(); // a percent sign with no digits behind it
        }
    }

    private static char hex(int digit) {
        return "0123456789ABCDEF".charAt(digit);
    }

    private static boolean isPlain(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return letter || "*-._".indexOf(c) >= 0;
    }

    private static BadSignatureException unknown() {
        return new BadSignatureException(SignatureFlaw.COMPONENT);
    }
}

package gateway.policies.standard;

import gateway.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// How senders of webhooks sign them.
enum WebhookForm {
    /// Standard Webhooks 1.0.0: id, time and body, in three fields.
    STANDARD("webhook-signature"),
    /// GitHub: the body alone.
    GITHUB("X-Hub-Signature-256"),
    /// Stripe: time and body.
    STRIPE("Stripe-Signature");

    private static final int LONGEST = 4_096;
    private static final int LONGEST_ID = 256;
    private static final int MOST_SIGNATURES = 16;
    private static final int LONGEST_TIME = 12; // digits
    private static final String OF_STANDARD_SECRETS = "whsec_";

    private final String field;

    WebhookForm(String field) {
        this.field = field;
    }

    /// The field that the signature stands in, unless the sender calls its fields otherwise.
    ///
    /// @param prefix of the fields of Standard Webhooks, such as `webhook`
    String field(String prefix) {
        return this == STANDARD ? prefix + "-signature" : field;
    }

    /// The key that a text is a secret of; empty when it is none.
    Optional<byte[]> key(String secret) {
        if (this != STANDARD) return Optional.of(secret.getBytes(StandardCharsets.UTF_8));
        String text = secret.startsWith(OF_STANDARD_SECRETS) ? secret.substring(OF_STANDARD_SECRETS.length()) : secret;
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// What a request says of its signature; empty when that is none.
    Optional<WebhookSignature> read(Exchange exchange, String prefix) {
        Optional<String> text = only(exchange, field(prefix), LONGEST);
        return text.flatMap(value -> switch (this) {
            case STANDARD -> standard(value, exchange, prefix);
            case GITHUB -> github(value);
            case STRIPE -> stripe(value);
        });
    }

    private static Optional<WebhookSignature> standard(String value, Exchange exchange, String prefix) {
        Optional<String> id = only(exchange, prefix + "-id", LONGEST_ID);
        Optional<String> time = only(exchange, prefix + "-timestamp", LONGEST_TIME);
        if (id.isEmpty() || time.isEmpty() || !isTime(time.get())) return Optional.empty();
        // a dot would let one signed text be cut into another id, time and body
        if (id.get().contains(".")) return Optional.empty();
        List<byte[]> signatures = Arrays.stream(value.split(" ", MOST_SIGNATURES + 1))
                .limit(MOST_SIGNATURES)
                .filter(each -> each.startsWith("v1,"))
                .flatMap(each -> base64(each.substring("v1,".length())).stream())
                .toList();
        String before = id.get() + '.' + time.get() + '.';
        return Optional.of(new WebhookSignature(before, signatures, Long.parseLong(time.get()), id.get()));
    }

    private static Optional<WebhookSignature> github(String value) {
        if (!value.startsWith("sha256=")) return Optional.empty();
        return hex(value.substring("sha256=".length()))
                .map(signature -> new WebhookSignature("", List.of(signature), WebhookSignature.NO_TIME, ""));
    }

    private static Optional<WebhookSignature> stripe(String value) {
        List<String> parts = Arrays.asList(value.split(",", MOST_SIGNATURES + 2));
        List<String> times = parts.stream()
                .filter(each -> each.startsWith("t="))
                .map(each -> each.substring("t=".length()))
                .toList();
        if (times.size() != 1 || !isTime(times.getFirst())) return Optional.empty();
        List<byte[]> signatures = parts.stream()
                .limit(MOST_SIGNATURES + 1L)
                .filter(each -> each.startsWith("v1="))
                .flatMap(each -> hex(each.substring("v1=".length())).stream())
                .toList();
        String time = times.getFirst();
        return Optional.of(new WebhookSignature(time + '.', signatures, Long.parseLong(time), ""));
    }

    /// A field that stands there once: of several each reader may take another.
    private static Optional<String> only(Exchange exchange, String name, int longest) {
        List<String> values = exchange.headers().all(name);
        if (values.size() != 1
                || values.getFirst().isEmpty()
                || values.getFirst().length() > longest) {
            return Optional.empty();
        }
        return Optional.of(values.getFirst());
    }

    private static boolean isTime(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_TIME && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> hex(String text) {
        try {
            return Optional.of(HexFormat.of().parseHex(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

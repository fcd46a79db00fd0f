package gateway.policies.standard;

import gateway.http.Exchange;
import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// Whose counter a request goes to: the `by` of limits.
sealed interface CountedBy {
    /// Longest header value that names a counter as it is.
    int LONGEST_VALUE = 64;

    Pattern FORM = Pattern.compile("key|ip|api|header:" + HeaderText.REQUEST_NAME_FORM.pattern());

    /// Each caller; those that nobody has authenticated by address.
    record Key() implements CountedBy {}

    /// Each client address, an IPv6 one by its /64: a single subscriber owns all of that.
    record Ip() implements CountedBy {}

    /// All callers of the API together.
    record Api() implements CountedBy {}

    /// Each value of a request header.
    record Header(String name) implements CountedBy {}

    static CountedBy read(ConfigNode node) {
        String text = node.like(FORM).text("key");
        return switch (text) {
            case "key" -> new Key();
            case "ip" -> new Ip();
            case "api" -> new Api();
            default -> header(node, text);
        };
    }

    private static CountedBy header(ConfigNode node, String text) {
        String name = text.startsWith("header:") ? text.substring(7) : "";
        if (HeaderText.isRequestName(name)) return new Header(name);
        if (HeaderText.isToken(name)) {
            node.problem(HeaderText.requestNameFlaw(name));
        } else if (node.json().orElseThrow().isString()) {
            node.problem("expected \"key\", \"ip\", \"api\" or \"header:<name>\", got \"" + text + "\"");
        }
        return new Key();
    }

    /// The name of the counter's owner: bounded in length, without characters that mean something to a store.
    default String subject(Exchange exchange) {
        return switch (this) {
            case Key() -> {
                var caller = exchange.consumer();
                yield caller.isPresent() ? caller.get().id() : address(exchange.clientAddress());
            }
            case Ip() -> address(exchange.clientAddress());
            case Api() -> "api:" + exchange.api();
            case Header(String name) ->
                "header:" + bounded(exchange.headers().first(name).orElse("none"));
        };
    }

    static String address(InetAddress address) {
        byte[] octets = address.getAddress();
        if (octets.length == 4) return "ip:" + address.getHostAddress();
        return "ip:" + HexFormat.of().formatHex(octets, 0, 8);
    }

    static String bounded(String value) {
        return isPlain(value) ? value : "#" + hash(value);
    }

    private static boolean isPlain(String value) {
        if (value.isEmpty() || value.length() > LONGEST_VALUE) return false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && "-._@".indexOf(c) < 0) return false;
        }
        return true;
    }

    static String hash(String value) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}

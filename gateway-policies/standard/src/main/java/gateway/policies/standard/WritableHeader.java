package gateway.policies.standard;

import gateway.http.HeaderText;
import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import java.util.List;
import java.util.function.Function;

/// A header that a definition writes: any name but those that frame a message or belong to one connection (RFC
/// 9110 §7.6.1, RFC 9112 §6), which the gateway writes itself.
public record WritableHeader<V>(String name, V value) {
    private static final String NOT_RESERVED = "{\"not\": {" + JsonSchema.pattern(HeaderText.RESERVED_FORM) + "}}";

    /// The members of an object of headers, in order.
    static <V> List<WritableHeader<V>> readAll(ConfigNode node, Function<ConfigNode, V> value) {
        return node
                .namesLike(HeaderText.TOKEN_FORM)
                .obeys("{\"propertyNames\": " + NOT_RESERVED + "}")
                .map(value)
                .entrySet()
                .stream()
                .map(member -> {
                    checkName(member.getKey(), node.field(member.getKey()));
                    return new WritableHeader<>(member.getKey(), member.getValue());
                })
                .toList();
    }

    /// The name of a header as text.
    public static String readName(ConfigNode node) {
        String name = node.like(HeaderText.TOKEN_FORM).obeys(NOT_RESERVED).requiredText();
        if (!name.isEmpty()) checkName(name, node);
        return name;
    }

    /// Notes what keeps `name` from being one.
    public static void checkName(String name, ConfigNode node) {
        if (!HeaderText.isToken(name)) node.problem("expected a header name, got \"" + name + "\"");
        if (HeaderText.isReserved(name)) node.problem("the gateway writes " + name + " itself");
    }
}

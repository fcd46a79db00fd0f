package gateway.policies.message.jose;

import gateway.json.Json;
import gateway.policies.cryptography.Base64Url;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What compact and JSON forms are made of.
final class JoseText {
    private JoseText() {}

    /// The parts between the dots.
    ///
    /// @throws BadJoseException when there are more or fewer
    static List<String> parts(String text, int count) {
        String[] parts = text.split("\\.", count + 1);
        if (parts.length != count) throw new BadJoseException("not of " + count + " parts");
        return List.of(parts);
    }

    /// @throws BadJoseException when it is no base64url, or written otherwise than an encoder does
    static String requireEncoded(String part) {
        if (!Base64Url.isCanonical(part)) throw new BadJoseException("no base64url");
        return part;
    }

    /// The octets of such a part.
    static byte[] decoded(String part) {
        return Base64Url.decode(requireEncoded(part));
    }

    /// A compact form, as a part of JSON.
    static JsonNode node(String compact) {
        return Json.mapper().getNodeFactory().stringNode(compact);
    }

    static String encoded(byte[] content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(content);
    }

    /// Whether it is meant to be a compact form, well or badly made.
    ///
    /// @param count of its parts
    /// @param member that its header has
    static boolean isCompact(String text, int count, String member) {
        try {
            return JoseHeader.object(decoded(parts(text, count).getFirst())).has(member);
        } catch (BadJoseException e) {
            return false;
        }
    }

    /// @param members the only ones that `object` may have
    /// @throws BadJoseException when it has others
    static void requireOnly(JsonNode object, Set<String> members) {
        for (String name : object.propertyNames()) {
            if (!members.contains(name)) throw new BadJoseException("an unknown member");
        }
    }

    /// The one element of `list`: of several signatures or recipients each reader may choose another one.
    static JsonNode only(JsonNode list, Set<String> members) {
        if (!list.isArray() || list.size() != 1 || !list.get(0).isObject())
            throw new BadJoseException("not exactly one");
        requireOnly(list.get(0), members);
        return list.get(0);
    }

    /// The text of a member; empty text where it may be left out and is.
    static String member(JsonNode object, String name, boolean required) {
        JsonNode value = object.get(name);
        if (value == null && !required) return "";
        if (value == null || !value.isString()) throw new BadJoseException("no " + name);
        return value.stringValue();
    }
}

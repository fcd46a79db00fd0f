package gateway.service;

import gateway.json.ConfigNode;
import gateway.json.Json;

/// Purges as JSON, as operators write them and nodes tell them: `{"api": "orders", "prefix": "/items/", "soft": true}`.
public final class CachePurgeJson {
    private CachePurgeJson() {}

    /// On one line.
    public static String write(CachePurge purge) {
        var json = Json.mapper().createObjectNode();
        if (!purge.api().isEmpty()) json.put("api", purge.api());
        if (!purge.path().isEmpty()) json.put("path", purge.path());
        if (!purge.prefix().isEmpty()) json.put("prefix", purge.prefix());
        if (!purge.tag().isEmpty()) json.put("tag", purge.tag());
        return Json.compact(json.put("soft", purge.soft()));
    }

    /// Notes what is wrong with `node` as its problems; one condition there must be.
    public static CachePurge read(ConfigNode node) {
        node.requireObject();
        var purge = new CachePurge(
                condition(node, "api", ""),
                condition(node, "path", "/"),
                condition(node, "prefix", "/"),
                condition(node, "tag", ""),
                node.field("soft").bool(false));
        node.refuseUnknownFields();
        if (purge.withoutConditions())
            node.problem("expected one of api, path, prefix and tag; everything is {\"prefix\": \"/\"}");
        return purge;
    }

    private static String condition(ConfigNode node, String name, String begin) {
        ConfigNode field = node.field(name);
        if (!field.isPresent()) return "";
        String text = field.requiredText();
        if (!text.startsWith(begin)) field.problem("expected a path that begins with /, got \"" + text + '"');
        if (!begin.isEmpty() && text.indexOf('?') >= 0)
            field.problem("expected a path without a query, which no purge looks at, got \"" + text + '"');
        int length = text.codePointCount(0, text.length());
        if (length > CachePurge.LONGEST)
            field.problem("expected at most " + CachePurge.LONGEST + " characters, got " + length);
        return text;
    }
}

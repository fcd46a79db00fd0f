package gateway.service;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// What is stored of a resource beside its content:
/// `{"id": "orders.xsd", "contentType": "application/xml", "sha256": "…", "bytes": 1234}`.
public record ResourceDocument(String id, String contentType, String sha256, long bytes) {
    /// Most bytes of one content.
    public static final long MOST_BYTES = 4L << 20;

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern MEDIA_TYPE =
            Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}(; ?[ -~]{1,128})?");
    private static final Map<String, String> BY_SUFFIX = Map.ofEntries(
            Map.entry("json", "application/json"),
            Map.entry("jwks", "application/jwk-set+json"),
            Map.entry("xml", "application/xml"),
            Map.entry("xsd", "application/xml"),
            Map.entry("xsl", "application/xslt+xml"),
            Map.entry("xslt", "application/xslt+xml"),
            Map.entry("wsdl", "application/wsdl+xml"),
            Map.entry("yaml", "application/yaml"),
            Map.entry("yml", "application/yaml"),
            Map.entry("pem", "application/x-pem-file"),
            Map.entry("crt", "application/x-pem-file"),
            Map.entry("js", "text/javascript"),
            Map.entry("html", "text/html; charset=utf-8"),
            Map.entry("mustache", "text/plain; charset=utf-8"),
            Map.entry("groovy", "text/plain; charset=utf-8"),
            Map.entry("txt", "text/plain; charset=utf-8"));

    /// @param contentType empty: by the end of its id
    public static ResourceDocument of(String id, String contentType, byte[] content) {
        String type = contentType.isEmpty() ? typeOf(id) : contentType;
        return new ResourceDocument(id, type, digest(content), content.length);
    }

    /// @throws InvalidConfigException when `text` is no such document
    public static ResourceDocument read(String text) {
        ConfigNode node = ConfigNode.parse(text);
        node.requireObject();
        var document = new ResourceDocument(
                node.field("id").requiredText(),
                node.field("contentType").requiredText(),
                node.field("sha256").requiredText(),
                node.field("bytes").integer(0, MOST_BYTES));
        if (!isMediaType(document.contentType)) node.field("contentType").problem("expected a media type");
        if (!DIGEST.matcher(document.sha256).matches()) node.field("sha256").problem("expected 64 hexadecimal digits");
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return document;
    }

    /// Whether `text` may stand in `Content-Type`.
    public static boolean isMediaType(String text) {
        return MEDIA_TYPE.matcher(text).matches();
    }

    /// The SHA-256 of a content in hexadecimal digits.
    public static String digest(byte[] content) {
        return HexFormat.of().formatHex(Sha256.of(content));
    }

    private static String typeOf(String id) {
        String suffix = id.substring(id.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return BY_SUFFIX.getOrDefault(suffix, "application/octet-stream");
    }

    public String json() {
        return Json.pretty(Json.mapper()
                .createObjectNode()
                .put("id", id)
                .put("contentType", contentType)
                .put("sha256", sha256)
                .put("bytes", bytes));
    }
}

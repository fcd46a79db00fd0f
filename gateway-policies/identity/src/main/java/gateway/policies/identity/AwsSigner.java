package gateway.policies.identity;

import gateway.http.HeaderText;
import gateway.http.Secret;
import gateway.json.InvalidConfigException;
import gateway.service.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs requests by Signature Version 4 of AWS. Of the fields it signs `Host` and those that it writes itself: others
/// may be changed on the way.
final class AwsSigner {
    static final String UNSIGNED = "UNSIGNED-PAYLOAD";

    private static final String ALGORITHM = "AWS4-HMAC-SHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern ACCESS_KEY = Pattern.compile("[A-Za-z0-9]{16,128}");

    private final String host;
    private final String region;
    private final String service;
    private final String accessKey;
    private final byte[] secretKey;
    private final Optional<String> token;
    private volatile DayKey current = new DayKey("", hmacKey("none".getBytes(StandardCharsets.UTF_8)));

    /// The key of one day (the four steps from the secret), which serves until midnight.
    private record DayKey(String day, SecretKeySpec key) {
        @Override
        public String toString() {
            return day;
        }
    }

    /// @throws InvalidConfigException when one of them cannot be shown
    AwsSigner(String host, String region, String service, Secret accessKey, Secret secretKey, Optional<Secret> token) {
        this.host = host;
        this.region = region;
        this.service = service;
        this.accessKey = accessKey.reveal();
        this.secretKey = ("AWS4" + secretKey.reveal()).getBytes(StandardCharsets.UTF_8);
        this.token = token.map(Secret::reveal);
        if (!ACCESS_KEY.matcher(this.accessKey).matches()) {
            throw new InvalidConfigException("/aws/accessKey", "expected the id of an access key");
        }
        if (this.token.isPresent() && !HeaderText.isValue(this.token.get())) {
            throw new InvalidConfigException("/aws/sessionToken", "holds characters that may not stand in a header");
        }
    }

    /// The fields to be set on a request, in the order of their names.
    ///
    /// @param path as it goes out, without the query
    /// @param payload SHA-256 of the body in hex, or [#UNSIGNED]
    Map<String, String> sign(String method, String path, String query, String payload, Instant now) {
        String time = TIME.format(now);
        var fields = new TreeMap<String, String>();
        fields.put("host", host);
        fields.put("x-amz-content-sha256", payload);
        fields.put("x-amz-date", time);
        token.ifPresent(session -> fields.put("x-amz-security-token", session));
        var lines = new StringBuilder();
        fields.forEach((name, value) ->
                lines.append(name).append(':').append(value.strip()).append('\n'));
        String names = String.join(";", fields.keySet());
        String canonical = String.join("\n", method, canonicalPath(path), canonicalQuery(query), lines, names, payload);
        String day = time.substring(0, 8);
        String scope = String.join("/", day, region, service, "aws4_request");
        String text = String.join("\n", ALGORITHM, time, scope, sha256(canonical.getBytes(StandardCharsets.UTF_8)));
        String signature = HexFormat.of().formatHex(hmac(key(day), text));
        fields.remove("host"); // as the upstream's target has it
        fields.put(
                "authorization",
                ALGORITHM + " Credential=" + accessKey + '/' + scope + ", SignedHeaders=" + names + ", Signature="
                        + signature);
        return fields;
    }

    /// S3 takes paths as they are sent; all others take them without `.`, `..` and empty segments, and encoded once
    /// more.
    private String canonicalPath(String path) {
        if (service.equals("s3")) return path;
        var segments = new ArrayDeque<String>();
        for (String each : path.split("/", -1)) {
            if (each.equals("..")) segments.pollLast();
            else if (!each.isEmpty() && !each.equals(".")) segments.addLast(each);
        }
        String plain = "/" + String.join("/", segments) + (path.endsWith("/") && !segments.isEmpty() ? "/" : "");
        return encoded(plain);
    }

    private static String encoded(String path) {
        var text = new StringBuilder(path.length() + 8);
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (plain || "/-._~".indexOf(c) >= 0) text.append(c);
            else text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
        }
        return text.toString();
    }

    /// Parameters as they are sent, sorted by name, then by value.
    private static String canonicalQuery(String query) {
        if (query.isEmpty()) return "";
        List<List<String>> pairs = new ArrayList<>();
        for (String each : query.split("&", -1)) {
            int equal = each.indexOf('=');
            pairs.add(equal < 0 ? List.of(each, "") : List.of(each.substring(0, equal), each.substring(equal + 1)));
        }
        pairs.sort((a, b) -> {
            int byName = a.getFirst().compareTo(b.getFirst());
            return byName != 0 ? byName : a.getLast().compareTo(b.getLast());
        });
        return String.join(
                "&", pairs.stream().map(pair -> String.join("=", pair)).toList());
    }

    private SecretKeySpec key(String day) {
        DayKey held = current;
        if (held.day.equals(day)) return held.key;
        byte[] ofDay = hmac(hmacKey(secretKey), day);
        byte[] ofService = hmac(hmacKey(hmac(hmacKey(ofDay), region)), service);
        SecretKeySpec key = hmacKey(hmac(hmacKey(ofService), "aws4_request"));
        current = new DayKey(day, key);
        return key;
    }

    static String sha256(byte[] content) {
        return HexFormat.of().formatHex(Sha256.of(content));
    }

    private static SecretKeySpec hmacKey(byte[] key) {
        return new SecretKeySpec(key, "HmacSHA256");
    }

    private static byte[] hmac(SecretKeySpec key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    @Override
    public String toString() {
        return "AWS " + service + " in " + region;
    }
}

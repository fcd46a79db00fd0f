package gateway.component;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.HeaderField;
import gateway.http.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a `PUT` says of the entry that it brings, read before its content.
///
/// Of its fields those are kept that describe the content, and those that the client has named for it: never one that
/// steers a message or a connection, or may hold a credential, whatever clients and proxies add to a request.
final class OfferReader {
    /// In place of `Cache-Control`, which may be what somebody else said of the content.
    private static final String TTL = "X-TTL";

    private static final String TAGS = "Cache-Tag";
    private static final Set<String> DESCRIBING = Set.of("content-language", "content-disposition");
    private static final String NAMED = "entry-";

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern LIFETIME = Pattern.compile("max-age=([0-9]{1,9})");
    private static final String RANGE = "1 to " + ClusterEntries.LONGEST.toSeconds();
    private static final int LONGEST_TYPE = 128;
    private static final int MOST_FIELDS = 16;
    private static final int MOST_FIELD_BYTES = 8192; // with their names
    private static final int MOST_TAGS = 16;
    private static final int LONGEST_TAG = 128;

    /// Of [#isTag], in words.
    static final String FORM_OF_TAGS = "of 1 to " + LONGEST_TAG + " visible characters of ASCII, without a comma";

    private final Headers fields;

    private OfferReader(Headers fields) {
        this.fields = fields;
    }

    /// @throws MalformedException when it is none
    static Offer read(Exchange exchange, int mostBytes) {
        var reader = new OfferReader(exchange.headers());
        Duration keep = reader.lifetime();
        String contentType = reader.contentType();
        List<String> tags = reader.tags();
        List<HeaderField> kept = reader.kept();
        return new Offer(keep, contentType, tags, kept, Body.of(exchange.body().bytes(mostBytes)));
    }

    private Duration lifetime() {
        List<String> own = fields.all(TTL);
        if (!own.isEmpty()) {
            String seconds = own.size() == 1 && SECONDS.matcher(own.getFirst()).matches() ? own.getFirst() : "0";
            return usual(seconds).orElseThrow(() -> new MalformedException(TTL + ": " + RANGE + " seconds"));
        }
        return maxAge(fields.all("Cache-Control"))
                .orElseThrow(() -> new MalformedException(
                        "Cache-Control: max-age= and " + RANGE + " seconds, or " + TTL + ": and as many"));
    }

    /// Strictly `max-age=N`, on one line, and nothing else.
    private static Optional<Duration> maxAge(List<String> lines) {
        if (lines.size() != 1) return Optional.empty();
        Matcher matcher = LIFETIME.matcher(lines.getFirst());
        return matcher.matches() ? usual(matcher.group(1)) : Optional.empty();
    }

    private static Optional<Duration> usual(String seconds) {
        Duration lifetime = Duration.ofSeconds(Long.parseLong(seconds));
        boolean isUsual = lifetime.isPositive() && lifetime.compareTo(ClusterEntries.LONGEST) <= 0;
        return isUsual ? Optional.of(lifetime) : Optional.empty();
    }

    private String contentType() {
        String type = fields.first("Content-Type").orElse("application/octet-stream");
        if (type.length() > LONGEST_TYPE)
            throw new MalformedException("a Content-Type of " + LONGEST_TYPE + " characters at most");
        return type;
    }

    /// Apart by commas or blanks, as the policy `cache` has them.
    private List<String> tags() {
        var tags = new ArrayList<String>();
        for (String line : fields.all(TAGS)) {
            for (String tag : line.split("[, \t]+", -1)) {
                if (tag.isEmpty() || tags.contains(tag)) continue;
                if (!isTag(tag) || tags.size() == MOST_TAGS)
                    throw new MalformedException(MOST_TAGS + " tags at most, each " + FORM_OF_TAGS);
                tags.add(tag);
            }
        }
        return tags;
    }

    static boolean isTag(String text) {
        if (text.isEmpty() || text.length() > LONGEST_TAG) return false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c > '~' || c == ',') return false;
        }
        return true;
    }

    private List<HeaderField> kept() {
        var kept = new ArrayList<HeaderField>();
        fields.forEach((name, value) -> {
            if (isKept(name)) kept.add(new HeaderField(name, value));
        });
        int bytes = 0;
        for (HeaderField field : kept)
            bytes += field.name().length() + field.value().length();
        if (kept.size() > MOST_FIELDS || bytes > MOST_FIELD_BYTES)
            throw new MalformedException(
                    MOST_FIELDS + " fields of " + MOST_FIELD_BYTES + " bytes together at most that are kept");
        return kept;
    }

    private static boolean isKept(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith(NAMED) || DESCRIBING.contains(lower);
    }
}

package gateway.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/// The content codings that the gateway can undo, by name.
public final class ContentCodings {
    private static final int MOST = 3; // at once on one message: nobody packs twice but by mistake or in bad faith
    private static final List<ContentCoding> OWN = List.of(new GzipCoding(), new DeflateCoding());

    /// Those that need no library: gzip and deflate.
    public static final ContentCodings ENGINE = of(OWN);

    private final Map<String, ContentCoding> byName;
    private final List<ContentCoding> all;

    private ContentCodings(Map<String, ContentCoding> byName, List<ContentCoding> all) {
        this.byName = byName;
        this.all = List.copyOf(all);
    }

    /// [#ENGINE] and those that [ServiceLoader] finds on the class path.
    public static ContentCodings loaded() {
        var all = new ArrayList<>(OWN);
        ServiceLoader.load(ContentCoding.class).forEach(all::add);
        return of(all);
    }

    static ContentCodings of(List<ContentCoding> all) {
        var byName = new LinkedHashMap<String, ContentCoding>();
        for (ContentCoding each : all) for (String name : each.names()) byName.putIfAbsent(name, each);
        return new ContentCodings(byName, all);
    }

    /// What `content` was before it was packed; the same array where it was not.
    ///
    /// @param fields the values of `Content-Encoding`, in the order in which codings were applied
    /// @param most bytes that may come of it
    /// @param memory whose memory it takes
    /// @throws BodyRefusedException for a coding that is not known, more of them than three, or content that is
    ///     broken
    /// @throws BodyTooLargeException when more comes of it, or more than 200 times of what was sent
    /// @throws UpstreamException when there is no memory for it
    public byte[] undo(List<String> fields, byte[] content, long most, UpstreamWaiter memory) {
        if (fields.isEmpty() || content.length == 0) return content;
        List<String> applied = names(fields);
        if (applied.size() > MOST) throw BodyRefusedException.coding("more than " + MOST + " codings", accepted());
        byte[] plain = content;
        for (String name : applied.reversed()) {
            PlainBytes next = PlainBytes.of(content.length, most, memory);
            undo(name, plain, next);
            plain = next.whole();
        }
        return plain;
    }

    /// Whether a few bytes may cost as much as a large body, see [ContentCoding#runsAhead]: so may codings upon each
    /// other, whose inner ones nobody has seen yet.
    ///
    /// @param fields the values of `Content-Encoding`
    public boolean runAhead(List<String> fields, byte[] content) {
        if (fields.isEmpty() || content.length == 0) return false;
        List<String> applied = names(fields);
        if (applied.size() != 1) return !applied.isEmpty();
        ContentCoding coding = byName.get(applied.getFirst());
        return coding != null && coding.runsAhead(content);
    }

    private void undo(String name, byte[] coded, PlainBytes plain) {
        ContentCoding coding = byName.get(name);
        if (coding == null || !coding.isAvailable()) {
            throw BodyRefusedException.coding("a coding that is not known", accepted());
        }
        try {
            coding.undo(coded, plain);
        } catch (IOException e) {
            throw BodyRefusedException.malformed("no " + name + ": " + e.getMessage());
        }
    }

    private String accepted() {
        return all.stream()
                .filter(ContentCoding::isAvailable)
                .map(each -> each.names().getFirst())
                .collect(Collectors.joining(", "));
    }

    private boolean isUndone(String name) {
        ContentCoding coding = byName.get(name);
        return coding != null && coding.isAvailable();
    }

    private static List<String> names(List<String> fields) {
        var names = new ArrayList<String>();
        for (String field : fields) {
            for (String each : field.split(",", -1)) {
                String name = each.strip().toLowerCase(Locale.ROOT);
                if (!name.isEmpty() && !name.equals("identity")) names.add(name);
            }
        }
        return names;
    }

    /// What is left of a client's `Accept-Encoding` once all is gone that cannot be undone, for the answer is
    /// to be read here: `identity` when nothing is.
    public String understood(List<String> fields) {
        var left = new ArrayList<String>();
        for (String field : fields) {
            for (String each : field.split(",", -1)) if (isUndone(name(each))) left.add(each.strip());
        }
        return left.isEmpty() ? "identity" : String.join(", ", left);
    }

    /// Of one element, which a weight may follow: `gzip;q=0.5`.
    private static String name(String element) {
        int end = element.indexOf(';');
        return (end < 0 ? element : element.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }
}

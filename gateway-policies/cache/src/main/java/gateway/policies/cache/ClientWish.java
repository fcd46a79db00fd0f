package gateway.policies.cache;

import gateway.http.Headers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a client wants of an answer beside all of it: nothing new, if it has the same already (RFC 9110 §13), or a part
/// of it (§14).
///
/// @param tags of `If-None-Match`; empty: not asked
/// @param since of `If-Modified-Since`
/// @param range of `Range`
/// @param ifRange of `If-Range`
record ClientWish(List<String> tags, Optional<String> since, Optional<String> range, Optional<String> ifRange) {
    static final List<String> FIELDS = List.of("If-None-Match", "If-Modified-Since", "Range", "If-Range");
    static final ClientWish ALL = new ClientWish(List.of(), Optional.empty(), Optional.empty(), Optional.empty());

    static ClientWish of(SeenFields seen) {
        if (!seen.has(SeenFields.Kind.WISH)) return ALL;
        Headers request = seen.fields();
        return new ClientWish(
                ListElements.of(request.all("If-None-Match")),
                request.first("If-Modified-Since"),
                request.first("Range"),
                request.first("If-Range"));
    }

    /// Takes it out of what the upstream gets.
    static void remove(Headers request) {
        for (String name : FIELDS) request.remove(name);
    }

    /// Without the part: there are parts for `GET` alone (RFC 9110 §14.2).
    ClientWish ofAll() {
        return range.isEmpty() ? this : new ClientWish(tags, since, Optional.empty(), Optional.empty());
    }

    boolean isForAll() {
        return equals(ALL);
    }

    /// Whether the client has this answer already.
    boolean isFulfilledBy(CachedAnswer answer, Instant now) {
        if (answer.status() != 200) return false;
        if (!tags.isEmpty()) return answer.field("ETag").filter(this::names).isPresent() || tags.contains("*");
        Optional<Instant> known = since.flatMap(text -> FieldDate.read(text, now));
        Optional<String> changedAt = answer.field("Last-Modified").or(() -> answer.field("Date")); // RFC 9111 §4.3.2
        Optional<Instant> changed = changedAt.flatMap(text -> FieldDate.read(text, now));
        return known.isPresent() && changed.isPresent() && !changed.get().isAfter(known.get());
    }

    private boolean names(String tag) {
        for (String each : tags) if (opaque(each).equals(opaque(tag))) return true;
        return false;
    }

    /// Without what says that it is weak: all the same here (RFC 9110 §8.8.3.2).
    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    /// The part of this answer that the client wants; empty: all of it.
    Optional<ByteRange> part(CachedAnswer answer, Instant now) {
        if (range.isEmpty() || answer.status() != 200) return Optional.empty();
        if (ifRange.isPresent() && !isSame(ifRange.get(), answer, now)) return Optional.empty();
        return ByteRange.read(range.get(), answer.body().content().length);
    }

    /// By a strong tag or a time that says the same (RFC 9110 §13.1.5).
    private static boolean isSame(String validator, CachedAnswer answer, Instant now) {
        if (validator.startsWith("\""))
            return answer.field("ETag").filter(validator::equals).isPresent();
        Optional<Instant> asked = FieldDate.read(validator, now);
        return asked.isPresent()
                && asked.equals(answer.field("Last-Modified").flatMap(text -> FieldDate.read(text, now)));
    }
}

package gateway.policies.cache;

import gateway.http.Headers;
import java.util.List;

/// The fields of a request as they came to the cache, and of which kinds there are any. That is told by one look at
/// each line: nobody asks for the thirty names one by one that most requests have none of.
final class SeenFields {
    /// Names that are asked for together.
    enum Kind {
        /// What the client says of caches.
        CONTROL(1),
        /// Conditions that the upstream alone can judge.
        CONDITION(2),
        /// What it wants of an answer beside all of it.
        WISH(4),
        /// Who it is.
        CREDENTIAL(8),
        /// By which a trusted proxy in front may have the upstream answer otherwise.
        STEERING(16);

        private static final List<Kind> ALL = List.of(values());

        private final int bit;

        Kind(int bit) {
            this.bit = bit;
        }

        List<String> names() {
            return switch (this) {
                case CONTROL -> SAID;
                case CONDITION -> CONDITIONS;
                case WISH -> ClientWish.FIELDS;
                case CREDENTIAL -> CallerMark.CREDENTIALS;
                case STEERING -> KeyParts.STEERING;
            };
        }
    }

    private static final List<String> SAID = List.of("Cache-Control", "Pragma");
    private static final List<String> CONDITIONS = List.of("If-Match", "If-Unmodified-Since");

    /// By the first letter of names, whatever its case, the lengths that they have: most others differ in that.
    private static final long[] LENGTHS = new long[32];

    static {
        for (Kind kind : Kind.ALL) {
            for (String name : kind.names()) LENGTHS[place(name)] |= 1L << name.length();
        }
    }

    private final Headers fields;
    private final int kinds;

    private SeenFields(Headers fields, int kinds) {
        this.fields = fields;
        this.kinds = kinds;
    }

    /// A copy: later policies may change the request.
    static SeenFields of(Headers request) {
        Headers fields = Headers.copyOf(request);
        var found = new int[1];
        fields.forEach((name, _) -> found[0] |= kinds(name));
        return new SeenFields(fields, found[0]);
    }

    private static int kinds(String name) {
        if (name.isEmpty() || name.length() >= Long.SIZE) return 0;
        if ((LENGTHS[place(name)] >>> name.length() & 1) == 0) return 0;
        int kinds = 0;
        for (int i = 0; i < Kind.ALL.size(); i++) {
            Kind kind = Kind.ALL.get(i);
            if (ListedFields.isAmong(kind.names(), name)) kinds |= kind.bit;
        }
        return kinds;
    }

    private static int place(String name) {
        return name.charAt(0) & LENGTHS.length - 1;
    }

    Headers fields() {
        return fields;
    }

    /// Whether there is any of the kind.
    boolean has(Kind kind) {
        return (kinds & kind.bit) != 0;
    }
}

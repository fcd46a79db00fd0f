package gateway.service;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/// What names a stored document: ids are unique within a kind.
public record DocumentId(DocumentKind kind, String id) implements Comparable<DocumentId> {
    /// What ids of every kind match; those of most kinds are at most half as long.
    public static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    private static final Comparator<DocumentId> ORDER =
            Comparator.comparing(DocumentId::kind).thenComparing(DocumentId::id);

    /// The one document of its kind.
    public static final DocumentId GLOBAL = new DocumentId(DocumentKind.GLOBAL, "global");

    public static DocumentId api(String id) {
        return new DocumentId(DocumentKind.APIS, id);
    }

    /// The document that a pointer into a snapshot's problems lies in: `/apis/orders/match`.
    public static Optional<DocumentId> ofPointer(String pointer) {
        if (pointer.equals("/global") || pointer.startsWith("/global/")) return Optional.of(GLOBAL);
        for (DocumentKind kind : DocumentKind.values()) {
            String begin = "/" + kind.text() + "/";
            if (!pointer.startsWith(begin)) continue;
            int end = pointer.indexOf('/', begin.length());
            return Optional.of(
                    new DocumentId(kind, pointer.substring(begin.length(), end < 0 ? pointer.length() : end)));
        }
        return Optional.empty();
    }

    /// Where its problems stand: `/apis/orders`, `/global`.
    public String pointer() {
        return kind == DocumentKind.GLOBAL ? "/global" : "/" + this;
    }

    /// In order of kind, then of id.
    @Override
    public int compareTo(DocumentId other) {
        return ORDER.compare(this, other);
    }

    /// As the admin API has it: `apis/orders`.
    @Override
    public String toString() {
        return kind.text() + "/" + id;
    }
}

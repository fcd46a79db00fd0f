package gateway.json;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// The known name that somebody probably meant: at most two edits away (Levenshtein) and under half the name.
public final class Suggestion {
    private Suggestion() {}

    public static Optional<String> nearest(String name, Collection<String> known) {
        int reach = Math.min(2, Math.max(1, name.length() / 2));
        return known.stream()
                .filter(candidate -> Math.abs(candidate.length() - name.length()) <= reach)
                .filter(candidate -> distance(name, candidate) <= reach)
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) row[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}

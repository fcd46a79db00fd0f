package gateway.policies.standard;

import java.util.List;
import java.util.Optional;

/// What a client would rather have (`Prefer`, RFC 7240).
public final class Preferences {
    private static final int LONGEST_FIELD = 1024;

    private Preferences() {}

    /// The first one that is called so counts (§2); parameters of it are left alone.
    ///
    /// @param fields values of `Prefer`
    public static Optional<String> of(String name, List<String> fields) {
        for (String field : fields) {
            if (field.length() > LONGEST_FIELD) return Optional.empty();
            for (String element : field.split(",", -1)) {
                String[] pair = element.split(";", 2)[0].split("=", 2);
                if (pair.length == 2 && pair[0].strip().equalsIgnoreCase(name)) {
                    return Optional.of(bare(pair[1].strip()));
                }
            }
        }
        return Optional.empty();
    }

    private static String bare(String value) {
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}

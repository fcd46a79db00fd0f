package gateway.app.admin;

import gateway.json.Suggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a token of the admin API may do. Each stands for itself: who may write may not read thereby.
enum AdminRight {
    /// Look at everything that is not secret, and let definitions be checked and requests explained.
    READ,
    /// Change definitions and what this node does: APIs, rollbacks, reloads, log levels.
    WRITE,
    /// Look at keys and their usage, make, change, rotate and delete them.
    KEYS,
    /// Store secrets that definitions name.
    SECRETS,
    /// Store scripts and stylesheets, which run in the gateway.
    SCRIPTS;

    static List<String> names() {
        return Arrays.stream(values()).map(AdminRight::toString).toList();
    }

    static Optional<AdminRight> of(String name) {
        return Arrays.stream(values())
                .filter(right -> right.toString().equals(name))
                .findFirst();
    }

    /// What is wrong with a name that is none of these.
    static String problem(String name) {
        return "expected one of " + String.join(", ", names()) + ", got \"" + name + "\""
                + Suggestion.nearest(name, names())
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

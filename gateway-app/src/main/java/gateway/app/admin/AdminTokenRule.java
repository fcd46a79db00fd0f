package gateway.app.admin;

import gateway.app.settings.Address;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Which admin tokens are safe to start with: long enough for where the admin plane can be reached, and none that
/// everybody tries first.
public final class AdminTokenRule {
    private static final int SHORTEST = 32;
    private static final int SHORTEST_ON_LOOPBACK = 16;
    private static final int FEWEST_CHARACTERS = 8;
    private static final Set<String> TRIED_FIRST = Set.of(
            "admin", "administrator", "changeme", "change-me", "default", "gateway", "password", "secret", "token");

    private AdminTokenRule() {}

    public static void check(SettingsReader reader) {
        Address address = reader.read(SettingTable.ADMIN_LISTEN);
        boolean loopback = address.isLoopback();
        Optional<Secret> token = reader.read(SettingTable.ADMIN_TOKEN);
        if (token.isEmpty()) {
            if (!loopback) {
                reader.problem(
                        reader.place(SettingTable.ADMIN_TOKEN),
                        "expected a token of " + SHORTEST + " characters or more, since the admin plane " + address
                                + " can be reached from other machines; set " + SettingTable.ADMIN_TOKEN.variable());
            }
            return;
        }
        weakness(token.get().reveal(), loopback ? SHORTEST_ON_LOOPBACK : SHORTEST)
                .ifPresent(weakness -> reader.problem(reader.place(SettingTable.ADMIN_TOKEN), weakness));
    }

    private static Optional<String> weakness(String token, int shortest) {
        if (token.length() < shortest) {
            return Optional.of("expected " + shortest + " characters or more, got " + token.length());
        }
        if (isTriedFirst(token)) return Optional.of("expected a token of your own, got one that everybody tries first");
        if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            return Optional.of("expected printable ASCII characters without spaces");
        }
        if (token.chars().distinct().count() < FEWEST_CHARACTERS) {
            return Optional.of("expected " + FEWEST_CHARACTERS + " different characters or more");
        }
        return Optional.empty();
    }

    /// Such words alone, repeated or with digits behind.
    private static boolean isTriedFirst(String token) {
        String rest = token.toLowerCase(Locale.ROOT);
        int length = rest.length();
        for (String word : TRIED_FIRST) rest = rest.replace(word, "");
        return rest.length() < length && rest.replaceAll("[\\d!_.-]", "").isEmpty();
    }
}

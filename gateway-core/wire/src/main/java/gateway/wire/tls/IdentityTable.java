package gateway.wire.tls;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Identities by the server name that a client asks for (SNI, RFC 6066 §3): the exact name, then a wildcard for its
/// first label, then the default, which is the first of all. One name may have an identity of each kind of key.
final class IdentityTable {
    private final List<Identity> all;
    private final Map<String, List<Identity>> byName = new HashMap<>();

    /// @param all not empty
    IdentityTable(List<Identity> all) {
        this.all = List.copyOf(all);
        for (Identity identity : all) {
            for (String name : identity.names()) {
                byName.computeIfAbsent(name, any -> new ArrayList<>()).add(identity);
            }
        }
    }

    List<Identity> all() {
        return all;
    }

    /// Where in [#all] the identity for `name` and this kind of key is; -1 when there is none.
    ///
    /// @param name empty when the client names none
    int indexOf(String name, String keyType) {
        String lower = name.toLowerCase(Locale.ROOT);
        String asked = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower; // as in `Host`
        int found = of(byName.get(asked), keyType);
        if (found >= 0 || byName.containsKey(asked)) return found;
        int dot = asked.indexOf('.');
        List<Identity> wild = dot <= 0 ? null : byName.get("*" + asked.substring(dot));
        if (wild != null) return of(wild, keyType);
        return all.getFirst().keyType().equals(keyType) ? 0 : of(sameNamesAsDefault(), keyType);
    }

    /// The default has a sibling when another identity of another key stands for its names.
    private List<Identity> sameNamesAsDefault() {
        List<String> names = all.getFirst().names();
        return all.stream().filter(each -> each.names().equals(names)).toList();
    }

    /// Whether one name has identities of several kinds of keys.
    boolean hasTwins() {
        for (Identity each : all) {
            for (Identity other : all) {
                if (!each.keyType().equals(other.keyType()) && sameName(each.names(), other.names())) return true;
            }
        }
        return false;
    }

    private static boolean sameName(List<String> names, List<String> others) {
        return names.equals(others) || !Collections.disjoint(names, others);
    }

    private int of(@org.jspecify.annotations.Nullable List<Identity> some, String keyType) {
        if (some == null) return -1;
        for (Identity each : some) {
            if (each.keyType().equals(keyType)) return all.indexOf(each);
        }
        return -1;
    }
}

package gateway.app.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// By which hosts the admin plane may be called. A page of somebody else's site reaches a listener on this machine, or
/// in its network, when the site's name comes to mean that address (DNS rebinding); the browser then still says the
/// name of the site in `Host`.
///
/// Known are addresses and the names that nobody outside can give a meaning to: `localhost`, those of one label, as
/// services of Kubernetes and Docker have, those below `.localhost`, `.svc`, `.cluster.local` and `.internal`, and those
/// that the operator has set.
///
/// @param names lower case
/// @param suffixes lower case, each with the dot that it begins with
/// @param any whether every host is known
public record AdminHosts(Set<String> names, List<String> suffixes, boolean any) {
    private static final List<String> PRIVATE = List.of(".localhost", ".svc", ".cluster.local", ".internal");

    /// What is known without any setting.
    public static final AdminHosts USUAL = of(List.of());

    public AdminHosts {
        names = Set.copyOf(names);
        suffixes = List.copyOf(suffixes);
    }

    /// @param further names, `*.example.org` for all below one, `*` for every host
    public static AdminHosts of(List<String> further) {
        var names = new HashSet<String>();
        var suffixes = new ArrayList<>(PRIVATE);
        for (String each : further) {
            String host = each.toLowerCase(Locale.ROOT);
            if (host.startsWith("*.")) suffixes.add(host.substring(1));
            else names.add(host);
        }
        return new AdminHosts(names, suffixes, names.contains("*"));
    }

    /// Whether a request with this `Host` may come from whoever is meant to; without one no browser sent it.
    boolean know(Optional<String> field) {
        if (any || field.isEmpty()) return true;
        String host = host(field.get());
        if (isAddress(host) || host.indexOf('.') < 0 || names.contains(host)) return true;
        return suffixes.stream().anyMatch(host::endsWith);
    }

    /// Lower case, without port and without the dot that may end a full name.
    private static String host(String field) {
        int colon = field.lastIndexOf(':');
        String host = colon > field.lastIndexOf(']') ? field.substring(0, colon) : field;
        if (host.endsWith(".")) host = host.substring(0, host.length() - 1);
        return host.toLowerCase(Locale.ROOT);
    }

    /// A name whose last label is a number is an address or nothing (WHATWG URL, "ends in a number").
    private static boolean isAddress(String host) {
        if (host.startsWith("[")) return true;
        int last = host.lastIndexOf('.') + 1;
        return last < host.length() && host.chars().skip(last).allMatch(c -> c >= '0' && c <= '9');
    }
}

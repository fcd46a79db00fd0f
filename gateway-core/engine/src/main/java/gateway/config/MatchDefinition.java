package gateway.config;

import java.util.List;
import java.util.Set;

/// Which requests an API serves.
///
/// @param hosts lower case, `*.example.org` for any one or more labels before it; empty: every host
/// @param path prefix on segment borders, `{name}` binds one segment; `/` serves every path
/// @param methods empty: every method
public record MatchDefinition(List<String> hosts, String path, Set<String> methods) {
    public MatchDefinition {
        hosts = List.copyOf(hosts);
        methods = Set.copyOf(methods);
    }
}

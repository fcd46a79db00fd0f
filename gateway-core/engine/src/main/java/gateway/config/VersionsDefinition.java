package gateway.config;

import java.util.List;
import java.util.Optional;

/// The versions of an API, and how a request says which it wants.
///
/// @param name of the header or query parameter; empty for [In#PATH]
/// @param defaultVersion serves requests that name none
/// @param fallbackToDefault whether it also serves those that name one which does not exist
/// @param strip take the version off what the upstream is sent
/// @param list at least one, each name once
public record VersionsDefinition(
        In in,
        String name,
        Optional<String> defaultVersion,
        boolean fallbackToDefault,
        boolean strip,
        List<VersionDefinition> list) {
    public VersionsDefinition {
        list = List.copyOf(list);
    }

    /// Where a request names its version.
    public enum In {
        HEADER,
        QUERY,
        /// The segment behind the path of the API's match.
        PATH
    }
}

package gateway.key;

import java.util.List;

/// One API that a key opens.
///
/// @param paths empty: the whole API
/// @param versions names of the versions that it opens; empty: every version
public record ApiGrant(List<PathGrant> paths, List<String> versions) {
    public static final ApiGrant WHOLE = new ApiGrant(List.of());

    public ApiGrant {
        paths = List.copyOf(paths);
        versions = List.copyOf(versions);
    }

    /// Of every version.
    public ApiGrant(List<PathGrant> paths) {
        this(paths, List.of());
    }

    /// @param version empty for an API without versions, which a grant of some versions does not open
    public boolean opens(String version) {
        return versions.isEmpty() || versions.contains(version);
    }

    public boolean covers(String method, String pathInApi) {
        if (paths.isEmpty()) return true;
        for (PathGrant path : paths) {
            if (path.covers(method, pathInApi)) return true;
        }
        return false;
    }
}

package gateway.key;

import java.util.List;

/// One API that a key opens.
///
/// @param paths empty: the whole API
public record ApiGrant(List<PathGrant> paths) {
    public static final ApiGrant WHOLE = new ApiGrant(List.of());

    public ApiGrant {
        paths = List.copyOf(paths);
    }

    public boolean covers(String method, String pathInApi) {
        if (paths.isEmpty()) return true;
        for (PathGrant path : paths) {
            if (path.covers(method, pathInApi)) return true;
        }
        return false;
    }
}

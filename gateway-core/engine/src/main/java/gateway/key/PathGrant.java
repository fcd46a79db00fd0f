package gateway.key;

import gateway.http.MethodList;
import java.util.Set;

/// Part of an API that a key opens: a path prefix on segment borders, relative to the API, and the methods on it.
///
/// @param methods empty: every method, see [MethodList]
public record PathGrant(String path, Set<String> methods) {
    public PathGrant {
        methods = Set.copyOf(methods);
    }

    public boolean covers(String method, String pathInApi) {
        return MethodList.covers(methods, method) && under(pathInApi);
    }

    private boolean under(String other) {
        if (path.equals("/")) return true;
        return other.startsWith(path) && (other.length() == path.length() || other.charAt(path.length()) == '/');
    }
}

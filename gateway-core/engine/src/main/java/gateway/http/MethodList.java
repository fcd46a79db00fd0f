package gateway.http;

import java.util.Set;

/// The one reading of methods that a definition or a key lists: `GET` stands for `HEAD` too, which is the same request
/// for less of an answer (RFC 9110 §9.3.2). `HEAD` alone is `HEAD` alone.
public final class MethodList {
    private MethodList() {}

    /// @param listed empty: every method
    public static boolean covers(Set<String> listed, String method) {
        return listed.isEmpty() || listed.contains(method) || (method.equals("HEAD") && listed.contains("GET"));
    }
}

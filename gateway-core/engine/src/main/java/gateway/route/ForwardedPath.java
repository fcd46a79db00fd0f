package gateway.route;

import gateway.http.PathPattern;

/// What the upstream is sent of the path of a request, byte for byte as the client wrote it.
public sealed interface ForwardedPath {
    /// @param raw as sent, with the segments that the route was found by
    String of(String raw);

    /// All of it.
    record Whole() implements ForwardedPath {
        @Override
        public String of(String raw) {
            return raw;
        }
    }

    /// What stands below `prefix`.
    record Below(PathPattern prefix) implements ForwardedPath {
        @Override
        public String of(String raw) {
            return prefix.below(raw);
        }
    }

    /// All but what stands between `kept` and the longer `cut`.
    record Without(PathPattern kept, PathPattern cut) implements ForwardedPath {
        @Override
        public String of(String raw) {
            int end = kept.matchedLength(raw);
            String rest = raw.substring(cut.matchedLength(raw));
            if (end == 0) return rest.isEmpty() ? "/" : rest;
            return raw.substring(0, end).concat(rest);
        }
    }
}

package gateway.service;

import java.util.Set;

/// What caches are not to give any more. Conditions that are empty text hold for everything; the others hold together.
///
/// @param api the id of the API whose answers they are
/// @param path exactly as clients send it or as the upstream gets it, without the query
/// @param prefix what such a path begins with
/// @param tag that the upstream has given an answer
/// @param soft whether what is kept is only stale from now on, so that it may stand in while it is renewed
public record CachePurge(String api, String path, String prefix, String tag, boolean soft) {
    /// Everything there is.
    public static final CachePurge ALL = new CachePurge("", "", "", "", false);

    /// Characters of the longest condition.
    public static final int LONGEST = 1024;

    /// Whether it is about everything.
    boolean withoutConditions() {
        return api.isEmpty() && path.isEmpty() && prefix.isEmpty() && tag.isEmpty();
    }

    /// Whether it is about an answer.
    ///
    /// @param owner the id of its API
    /// @param sent the path that was asked for
    /// @param forwarded the one that the upstream got
    /// @param tags of it
    public boolean covers(String owner, String sent, String forwarded, Set<String> tags) {
        if (!api.isEmpty() && !api.equals(owner)) return false;
        if (!path.isEmpty() && !path.equals(sent) && !path.equals(forwarded)) return false;
        if (!prefix.isEmpty() && !sent.startsWith(prefix) && !forwarded.startsWith(prefix)) return false;
        return tag.isEmpty() || tags.contains(tag);
    }
}

package gateway.policies.cache;

import gateway.http.Headers;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/// The tags that an answer carries in a field, apart by commas or spaces: what it is purged by.
final class CacheTags {
    private static final int MOST = 64;
    private static final int LONGEST = 128;

    private CacheTags() {}

    /// Empty for an answer with more or longer tags than are kept: what could not be purged by all of its tags is not
    /// kept at all.
    static Optional<Set<String>> of(Headers answer, String field) {
        if (!answer.contains(field)) return Optional.of(Set.of());
        var tags = new LinkedHashSet<String>();
        for (String line : answer.all(field)) {
            for (String tag : line.split("[, \t]+", -1)) {
                if (tag.length() > LONGEST) return Optional.empty();
                if (!tag.isEmpty()) tags.add(tag);
                if (tags.size() > MOST) return Optional.empty();
            }
        }
        return Optional.of(tags);
    }
}

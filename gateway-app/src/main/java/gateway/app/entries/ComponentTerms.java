package gateway.app.entries;

import gateway.http.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/// Where the cache component is, and how it is asked.
///
/// @param members each by a URL of its own, or a name that stands for all of them
/// @param deadline longest time that a request waits for it
public record ComponentTerms(List<URI> members, Secret token, Duration deadline) {
    public ComponentTerms {
        members = List.copyOf(members);
    }
}

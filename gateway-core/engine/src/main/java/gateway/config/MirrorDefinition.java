package gateway.config;

import java.util.List;

/// Where copies of requests go, whose answers nobody reads.
///
/// @param percent of the requests
/// @param requests copies under way at once; one more is dropped
public record MirrorDefinition(List<TargetDefinition> targets, int percent, int requests) {
    public MirrorDefinition {
        targets = List.copyOf(targets);
    }

    MirrorDefinition with(List<TargetDefinition> others) {
        return new MirrorDefinition(others, percent, requests);
    }
}

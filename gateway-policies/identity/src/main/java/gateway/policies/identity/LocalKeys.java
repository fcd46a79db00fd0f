package gateway.policies.identity;

import java.util.Optional;

/// Keys that the definition holds, or refers to.
record LocalKeys(KeySet current) implements KeySource {
    @Override
    public Optional<KeySet> newer() {
        return Optional.empty();
    }
}

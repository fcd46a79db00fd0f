package gateway.service;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Contents in a map.
public final class FakeContents implements Contents {
    private final Map<String, byte[]> kept = new HashMap<>();

    private boolean away;

    @Override
    public synchronized Optional<byte[]> find(String sha256) {
        requireHere();
        return Optional.ofNullable(kept.get(sha256)).map(byte[]::clone);
    }

    @Override
    public synchronized void keep(byte[] content) {
        requireHere();
        kept.put(ResourceDocument.digest(content), content.clone());
    }

    /// From now on every call fails.
    synchronized void goAway() {
        away = true;
    }

    private void requireHere() {
        if (away) throw new DependencyException("fake", "away");
    }

    /// From now on it is not there.
    public synchronized void lose(String sha256) {
        kept.remove(sha256);
    }
}

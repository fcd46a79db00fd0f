package gateway.app.settings;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Which store holds definitions, keys and counters: this process and its data folder, or Redis.
///
/// @param uri as set, with its password; empty for the embedded store
public record StoreLocation(Optional<String> uri) {
    static final StoreLocation MEMORY = new StoreLocation(Optional.empty());
    private static final List<String> SCHEMES = List.of(
            "redis://",
            "rediss://",
            "redis-sentinel://",
            "rediss-sentinel://",
            "redis-cluster://",
            "rediss-cluster://");

    static Optional<StoreLocation> parse(String text) {
        if (text.equals("memory")) return Optional.of(MEMORY);
        if (SCHEMES.stream().noneMatch(text::startsWith)) return Optional.empty();
        return hasHost(text) ? Optional.of(new StoreLocation(Optional.of(text))) : Optional.empty();
    }

    /// Several hosts separated by commas are no host to [URI]; its authority holds them.
    private static boolean hasHost(String text) {
        try {
            String authority = URI.create(text).getRawAuthority();
            return authority != null && !authority.endsWith("@");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// The same as [#toString], and of the embedded store where it keeps its files.
    public String text(Path data) {
        return uri.isEmpty() ? this + " in " + data.toAbsolutePath().normalize() : toString();
    }

    /// The location without user and password.
    @Override
    public String toString() {
        return uri.map(SettingFormats::hiddenUser).orElse("memory");
    }
}

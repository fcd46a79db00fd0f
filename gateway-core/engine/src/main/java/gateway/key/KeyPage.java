package gateway.key;

import java.util.List;
import java.util.Optional;

/// Part of a list of keys.
///
/// @param next the cursor of the following page; empty on the last
public record KeyPage(List<StoredKey> keys, Optional<String> next) {
    public KeyPage {
        keys = List.copyOf(keys);
    }
}

package gateway.key;

import java.util.Optional;

/// The plans that are served now.
@FunctionalInterface
public interface Plans {
    /// There are none.
    Plans NONE = _ -> Optional.empty();

    Optional<Plan> find(String id);
}

package gateway.config;

import gateway.policy.PolicyType;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;

/// The policy types a definition may name.
public final class PolicyRegistry {
    private final Map<String, PolicyType> types;

    private PolicyRegistry(Map<String, PolicyType> types) {
        this.types = types;
    }

    /// The types that [ServiceLoader] finds on the class path.
    public static PolicyRegistry load() {
        return of(ServiceLoader.load(PolicyType.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList());
    }

    /// @throws IllegalStateException when two types have one name
    public static PolicyRegistry of(Collection<? extends PolicyType> types) {
        var byName = new TreeMap<String, PolicyType>();
        for (PolicyType type : types) {
            if (byName.put(type.name(), type) != null) {
                throw new IllegalStateException("two policy types are called " + type.name());
            }
        }
        return new PolicyRegistry(byName);
    }

    public Optional<PolicyType> type(String name) {
        return Optional.ofNullable(types.get(name));
    }

    /// Every type's name in alphabetical order.
    public Collection<String> names() {
        return types.keySet();
    }
}

package gateway.config;

import gateway.policy.ConditionType;
import gateway.policy.PolicyType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/// The policy types that a definition may name, and the conditions that it may put to them.
public final class PolicyRegistry {
    private final Map<String, PolicyType> types;

    private final List<ConditionType> conditions;

    private PolicyRegistry(Map<String, PolicyType> types, List<ConditionType> conditions) {
        this.types = types;
        this.conditions = conditions;
    }

    /// The types that [ServiceLoader] finds on the class path.
    public static PolicyRegistry load() {
        return of(found(PolicyType.class), found(ConditionType.class));
    }

    private static <T> List<T> found(Class<T> type) {
        return ServiceLoader.load(type).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /// @throws IllegalStateException when two types have one name
    public static PolicyRegistry of(Collection<? extends PolicyType> types) {
        return of(types, List.of());
    }

    /// @throws IllegalStateException when two types have one name, or a condition that of a field that `when` has
    public static PolicyRegistry of(
            Collection<? extends PolicyType> types, Collection<? extends ConditionType> conditions) {
        return of(new TreeMap<>(), types, conditions);
    }

    /// @param byName gains `types`, of which each is asked for its name once
    private static PolicyRegistry of(
            SortedMap<String, PolicyType> byName,
            Collection<? extends PolicyType> types,
            Collection<? extends ConditionType> conditions) {
        for (PolicyType type : types) {
            String name = type.name();
            if (byName.put(name, type) != null) {
                throw new IllegalStateException("two policy types are called " + name);
            }
        }
        var fields = new HashSet<>(ConditionReader.FIELDS);
        for (ConditionType condition : conditions) {
            if (!fields.add(condition.name())) {
                throw new IllegalStateException("two conditions are called " + condition.name());
            }
        }
        return new PolicyRegistry(byName, List.copyOf(conditions));
    }

    /// These and more.
    ///
    /// @throws IllegalStateException when a name is taken
    public PolicyRegistry with(
            Collection<? extends PolicyType> moreTypes, Collection<? extends ConditionType> moreConditions) {
        var allConditions = new ArrayList<ConditionType>(conditions);
        allConditions.addAll(moreConditions);
        return of(new TreeMap<>(types), moreTypes, allConditions);
    }

    public Optional<PolicyType> type(String name) {
        return Optional.ofNullable(types.get(name));
    }

    /// Those that stand beside the usual ones.
    public Collection<ConditionType> conditions() {
        return conditions;
    }

    /// Every type's name in alphabetical order.
    public Collection<String> names() {
        return types.keySet();
    }
}

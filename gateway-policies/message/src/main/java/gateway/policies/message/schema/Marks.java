package gateway.policies.message.schema;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/// Which members or elements of one value have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`.
final class Marks {
    /// Nobody asks.
    static final Marks NONE = new Marks(false);

    private final boolean kept;
    private final Set<String> names = new HashSet<>(0);
    private final BitSet items = new BitSet(0);
    private boolean allNames;
    private boolean allItems;

    private Marks(boolean kept) {
        this.kept = kept;
    }

    static Marks create() {
        return new Marks(true);
    }

    /// For another schema at the same value.
    Marks fresh() {
        return kept ? create() : this;
    }

    boolean kept() {
        return kept;
    }

    void name(String name) {
        if (kept) names.add(name);
    }

    void item(int index) {
        if (kept) items.set(index);
    }

    void itemsBefore(int end) {
        if (kept) items.set(0, end);
    }

    void allNames() {
        if (kept) allNames = true;
    }

    void allItems() {
        if (kept) allItems = true;
    }

    void add(Marks others) {
        if (!kept) return;
        names.addAll(others.names);
        items.or(others.items);
        allNames |= others.allNames;
        allItems |= others.allItems;
    }

    boolean hasName(String name) {
        return allNames || names.contains(name);
    }

    boolean hasItem(int index) {
        return allItems || items.get(index);
    }
}

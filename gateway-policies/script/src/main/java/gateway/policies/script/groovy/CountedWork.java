package gateway.policies.script.groovy;

import gateway.policies.script.run.ScriptBudget;

/// Counts what a script in Groovy does, where it says so: at the begin of each turn of a loop, of each closure and of
/// each method ([WovenChecks]), and at each character that a regular expression looks at ([CountedText]).
public final class CountedWork {
    static final ScopedValue<CountedWork> CURRENT = ScopedValue.newInstance();

    private static final int AT_ONCE = 64;
    private static final int COST = 10; // instructions, as Rhino counts them

    private static final int CHARACTERS_AT_ONCE = 1_000;

    private final ScriptBudget budget;
    private int uncounted;
    private int characters;

    CountedWork(ScriptBudget budget) {
        this.budget = budget;
    }

    /// Called by what is woven into scripts.
    public static void check() {
        if (CURRENT.isBound()) CURRENT.get().count(); // classes may be begun while they are compiled
    }

    /// Called likewise, between statements: looks at what is used up unless that was just done, and counts nothing.
    public static void glance() {
        if (CURRENT.isBound()) CURRENT.get().budget.glance();
    }

    /// A regular expression has looked at one character more.
    void countCharacter() {
        if (++characters < CHARACTERS_AT_ONCE) return;
        budget.spend(CHARACTERS_AT_ONCE);
        characters = 0;
    }

    private void count() {
        if (++uncounted < AT_ONCE) {
            budget.glance();
            return;
        }
        budget.spend((long) AT_ONCE * COST); // once it is used up each look finds it so
        uncounted = 0;
    }
}

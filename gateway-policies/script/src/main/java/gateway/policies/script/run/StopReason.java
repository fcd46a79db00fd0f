package gateway.policies.script.run;

import java.util.Locale;

/// Why a script came to no end of its own.
public enum StopReason {
    /// It has used the time that it has.
    TIME,
    /// It has used the instructions that it has.
    INSTRUCTIONS,
    /// It has asked for more memory than it has.
    MEMORY,
    /// Its calls went too deep.
    DEPTH,
    /// It failed by itself: it threw what nothing caught.
    ERROR;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// As clients, records and meters are told: `time`.
    @Override
    public String toString() {
        return word;
    }
}

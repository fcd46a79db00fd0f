package gateway.policies.script.run;

import gateway.json.ConfigNode;
import java.time.Duration;

/// What one run of a script may spend.
///
/// @param time of a processor
/// @param instructions of the script's own code, however its language counts them
/// @param memory bytes that it may ask for, given back or not
public record ScriptBounds(Duration time, long instructions, long memory) {
    private static final long MOST_INSTRUCTIONS = 1_000_000_000;
    private static final long USUAL_INSTRUCTIONS = 10_000_000;

    public static ScriptBounds read(ConfigNode node) {
        return new ScriptBounds(
                node.field("time", "of a processor that one run may take")
                        .duration(Duration.ofMillis(1), Duration.ofSeconds(1), Duration.ofMillis(50)),
                node.field("instructions", "that one run may take")
                        .integer(1_000, MOST_INSTRUCTIONS, USUAL_INSTRUCTIONS),
                node.field("memory", "that one run may ask for, given back or not")
                        .size(1 << 20, 256 << 20, 32 << 20));
    }
}

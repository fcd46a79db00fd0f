package gateway.policies.script.run;

import java.util.Map;

/// How a script ends a message before its time.
public sealed interface ScriptEnd {
    /// Answers it.
    ///
    /// @param body empty text: none
    /// @param contentType of the body, unless the fields say
    record Stopped(int status, String body, String contentType, Map<String, String> fields) implements ScriptEnd {
        public Stopped {
            fields = Map.copyOf(fields);
        }
    }

    /// It holds more than a script can be given.
    record TooComplex(String expected) implements ScriptEnd {}

    /// Refuses what it holds.
    record Failed(String why) implements ScriptEnd {}
}

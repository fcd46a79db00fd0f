package gateway.policies.message.openapi;

import gateway.http.Problem;
import gateway.json.ConfigProblem;
import gateway.policies.message.schema.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is wrong with one message, as far as it is told. Never holds what came.
final class Faults {
    private final int most;
    private final List<ConfigProblem> found = new ArrayList<>();

    Faults(int most) {
        this.most = most;
    }

    /// How many more are told.
    int room() {
        return most - found.size();
    }

    /// @param in which part of the message, such as `query`
    void add(String in, String pointer, String message) {
        if (room() > 0) found.add(new ConfigProblem(pointer, message, in));
    }

    /// @param at pointer to the value that was looked at
    void add(String in, String at, List<Finding> findings) {
        for (Finding each : findings) add(in, at + each.pointer(), each.keyword() + ": expected " + each.expected());
    }

    Optional<Problem> problem(int status) {
        if (found.isEmpty()) return Optional.empty();
        return Optional.of(new Problem(
                "invalid-content",
                status,
                "Invalid content",
                "The message is not as the API's document has it",
                found));
    }

    /// A name as a step of a pointer.
    static String step(String name) {
        return '/' + name.replace("~", "~0").replace("/", "~1");
    }
}

package gateway.policies.message.convert;

import gateway.http.Problem;
import gateway.json.ConfigProblem;
import java.util.List;

/// A message that cannot be said in the other form. Nothing of its values is told.
final class InconvertibleException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Problem problem;

    InconvertibleException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    /// @param pointer into the JSON, or names of elements; empty: all of it
    InconvertibleException(String pointer, String why) {
        this(new Problem(
                "invalid-content",
                422,
                "Invalid content",
                "The content cannot be converted",
                List.of(new ConfigProblem(pointer, why))));
    }

    Problem problem() {
        return problem;
    }
}

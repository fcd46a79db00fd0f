package gateway.json;

import java.util.List;
import java.util.stream.Collectors;

/// Configuration was refused whole; carries every problem found.
public sealed class InvalidConfigException extends RuntimeException permits JsonLimitException {
    private final List<ConfigProblem> problems;

    public InvalidConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public InvalidConfigException(String pointer, String message) {
        this(List.of(new ConfigProblem(pointer, message)));
    }

    public List<ConfigProblem> problems() {
        return problems;
    }
}

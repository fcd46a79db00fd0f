package gateway.service;

import org.jspecify.annotations.Nullable;

/// Something outside the process that a request needs did not answer in time or not properly. The pipeline step
/// turns it into the policy's `onOutage`; nobody else catches it.
public final class DependencyException extends RuntimeException {
    private static final String UNANSWERED = "unanswered";
    private static final String STARVED = "starved";

    private final String dependency;
    private final String reason;

    /// @param dependency what failed, such as `redis`
    public DependencyException(String dependency, String message, Throwable cause) {
        this(dependency, UNANSWERED, message, cause);
    }

    public DependencyException(String dependency, String message) {
        this(dependency, UNANSWERED, message, null);
    }

    /// @param reason what went wrong, one word of a fixed list, such as `timeout`; see [gateway.http.FailureReason]
    public DependencyException(String dependency, String reason, String message, @Nullable Throwable cause) {
        super(dependency + ": " + message, cause, false, false);
        this.dependency = dependency;
        this.reason = reason;
    }

    /// This node was too slow to know what `dependency` has answered, which says nothing of the other.
    public static DependencyException starved(String dependency) {
        return new DependencyException(dependency, STARVED, "this node was too slow to read an answer", null);
    }

    /// Whether this node was the slow one.
    public boolean isStarved() {
        return reason.equals(STARVED);
    }

    public String dependency() {
        return dependency;
    }

    /// One word of a fixed list, for meters and logs.
    public String reason() {
        return reason;
    }
}

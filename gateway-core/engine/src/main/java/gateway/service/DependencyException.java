package gateway.service;

/// Something outside the process that a request needs did not answer in time or not properly. The pipeline step
/// turns it into the policy's `onOutage`; nobody else catches it.
public final class DependencyException extends RuntimeException {
    private final String dependency;

    /// @param dependency what failed, such as `redis`
    public DependencyException(String dependency, String message, Throwable cause) {
        super(dependency + ": " + message, cause, false, false);
        this.dependency = dependency;
    }

    public DependencyException(String dependency, String message) {
        super(dependency + ": " + message, null, false, false);
        this.dependency = dependency;
    }

    public String dependency() {
        return dependency;
    }
}

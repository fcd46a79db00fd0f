package gateway.service;

/// No worker has taken a piece of work in time, or too many wait already: it was not begun.
public final class WorkersBusyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WorkersBusyException(String share) {
        super("too much of " + share + " waits for a worker", null, false, false);
    }
}

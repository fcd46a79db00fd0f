package gateway.service;

import gateway.http.RefusalException;

/// No worker has taken a piece of work in time, or too many wait already: it was not begun.
public final class WorkersBusyException extends RefusalException {
    private static final long serialVersionUID = 1L;

    WorkersBusyException(String share) {
        super("too much of " + share + " waits for a worker");
    }
}

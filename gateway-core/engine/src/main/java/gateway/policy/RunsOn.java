package gateway.policy;

/// Which thread a policy needs.
public enum RunsOn {
    /// The request's own virtual thread, carried by its IO thread: for steps that take microseconds or park.
    REQUEST_THREAD,
    /// One of the process's workers ([gateway.service.Workers]): for heavy CPU work or libraries that block in their
    /// own
    /// way.
    WORKER
}

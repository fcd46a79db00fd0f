package gateway.policy;

/// Which thread a policy needs.
public enum RunsOn {
    /// The request's own virtual thread, carried by its IO thread: for steps that take microseconds or park.
    REQUEST_THREAD,
    /// A virtual thread of the JDK's scheduler: for heavy CPU work or libraries that block in their own way.
    WORKER
}

package gateway.policy;

/// What a policy asks while a request waits, outside of itself: `onOutage` says what happens when it is away, and
/// readiness tells of it.
public sealed interface Dependency {
    /// Whether it lies outside of this process, so that asking it takes time that is worth telling.
    boolean isRemote(Services services);

    /// What the shared store holds.
    enum Store implements Dependency {
        /// API keys; those at hand go on for a while when the store is away.
        KEYS {
            @Override
            public boolean isRemote(Services services) {
                return services.keys().isRemote();
            }
        },
        /// Counters of limits.
        COUNTERS {
            @Override
            public boolean isRemote(Services services) {
                return services.limits().isRemote();
            }
        },
        /// Values with an end: ids that may come once, sessions.
        SHORT_TERM {
            @Override
            public boolean isRemote(Services services) {
                return services.shortTerm().isRemote();
            }
        }
    }

    /// A server that the policy calls, see [Services#calls].
    ///
    /// @param name of its [gateway.service.CallTarget], such as `https://idp.example`
    record Server(String name) implements Dependency {
        @Override
        public boolean isRemote(Services services) {
            return true;
        }
    }
}

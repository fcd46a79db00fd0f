package gateway.service;

/// HTTP calls that policies make besides the request's own: to an identity provider, a webhook, a key set. They go
/// through the connections, names, TLS and allowed networks of upstreams, and each server has one circuit breaker for
/// all that call it.
public interface Calls {
    /// No server can be called: for processes that serve nobody, such as the check of a file.
    Calls NONE = (target, pointer) -> (request, bounds, within) -> {
        throw new DependencyException(target.name(), "unavailable", "this process calls nobody", null);
    };

    /// The way to a server, asked for when a policy is compiled. The same server is found again by an equal target.
    ///
    /// @param pointer where the target stands in its policy, such as `/target`
    /// @throws gateway.json.InvalidConfigException under that pointer, when its address may not be called or a file
    ///     of its TLS cannot be used
    ServerCalls to(CallTarget target, String pointer);
}

package gateway.service;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;

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
    /// @throws InvalidConfigException under that pointer, when its address may not be called or a file
    ///     of its TLS cannot be used
    ServerCalls to(CallTarget target, String pointer);

    /// The way to a server whose URL stands in a field of its own, such as `tokenUrl`, and its `tls` beside it.
    ///
    /// @param pointer of the object that holds both
    /// @throws InvalidConfigException under that field, when its address may not be called, or under `tls`
    default ServerCalls to(CallTarget target, String pointer, String field) {
        try {
            return to(target, pointer);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(e.problems().stream()
                    .map(each -> each.pointer().equals(pointer + "/url")
                            ? new ConfigProblem(pointer + '/' + field, each.message())
                            : each)
                    .toList());
        }
    }
}

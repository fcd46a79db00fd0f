package gateway.service;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/// Servers that a test plays, by the names of their targets; those that it does not play refuse.
public final class FakeCalls implements Calls {
    private final Map<String, Function<CallRequest, CallAnswer>> servers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    /// From now on `server` answers those who call `name`, such as `https://idp.example`.
    public void serve(String name, Function<CallRequest, CallAnswer> server) {
        servers.put(name, server);
    }

    /// What has been asked for, such as `GET https://idp.example/keys`.
    public List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public ServerCalls to(CallTarget target, String pointer) {
        return (request, bounds, within) -> send(target.name(), request, bounds);
    }

    private CallAnswer send(String name, CallRequest request, CallBounds bounds) {
        asked.add(request.method() + ' ' + name + request.path());
        Function<CallRequest, CallAnswer> server = servers.get(name);
        if (server == null) throw new DependencyException(name, "refused", "nobody listens", null);
        CallAnswer answer = server.apply(request);
        if (answer.bytes().length > bounds.mostBytes())
            throw new DependencyException(name, "too-large", "the answer is too large", null);
        return answer;
    }
}

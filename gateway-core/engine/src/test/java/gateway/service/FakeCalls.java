package gateway.service;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Servers that a test plays, by the names of their targets; those that it does not play refuse.
public final class FakeCalls implements Calls {
    private final Map<String, Function<CallRequest, CallAnswer>> servers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile @Nullable Function<CallRequest, CallAnswer> others; // null: they refuse

    /// From now on `server` answers those who call `name`, such as `https://idp.example`.
    public void serve(String name, Function<CallRequest, CallAnswer> server) {
        servers.put(name, server);
    }

    /// From now on `server` answers in the place of all others, which refused before.
    public void serveOthers(Function<CallRequest, CallAnswer> server) {
        others = server;
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
        Function<CallRequest, CallAnswer> rest = others;
        Function<CallRequest, CallAnswer> server = servers.getOrDefault(name, rest == null ? _ -> refuse(name) : rest);
        CallAnswer answer = server.apply(request);
        if (answer.bytes().length > bounds.mostBytes())
            throw new DependencyException(name, "too-large", "the answer is too large", null);
        return answer;
    }

    private static CallAnswer refuse(String name) {
        throw new DependencyException(name, "refused", "nobody listens", null);
    }
}

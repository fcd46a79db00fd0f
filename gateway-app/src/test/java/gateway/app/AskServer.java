package gateway.app;

import gateway.config.CallTargetReader;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.policy.Dependency;
import gateway.policy.OnOutage;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import gateway.policy.Verdict;
import gateway.service.CallAnswer;
import gateway.service.CallBounds;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.ServerCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/// A policy for tests, which answers with what a server says: `{"type": "ask-server", "server": {"url": …}}`.
public record AskServer(CallTarget server) implements PolicySpec {
    private static final CallBounds BOUNDS = new CallBounds(Duration.ofSeconds(30), 1024);

    /// What `work` makes knows the policy.
    ///
    /// @param folder of its own
    public static <T> T known(Path folder, Supplier<T> work) {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        current.setContextClassLoader(new URLClassLoader(new URL[] {registered(folder)}, before));
        try {
            return work.get();
        } finally {
            current.setContextClassLoader(before);
        }
    }

    private static URL registered(Path folder) {
        try {
            Path services = Files.createDirectories(folder.resolve("META-INF/services"));
            Files.writeString(services.resolve(PolicyType.class.getName()), Type.class.getName());
            return folder.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        ServerCalls calls = services.calls().to(server, "/server");
        return exchange -> {
            CallAnswer answer = calls.send(CallRequest.get("/"), BOUNDS, exchange.span());
            return Verdict.answer(Response.of(answer.status(), "text/plain", answer.bytes()));
        };
    }

    @Override
    public Set<Dependency> dependencies() {
        return Set.of(new Dependency.Server(server.name()));
    }

    /// Found by a service loader that [#known] has set up, by no other.
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "ask-server";
        }

        @Override
        public Stage stage() {
            return Stage.AUTHORIZE;
        }

        @Override
        public Set<OnOutage> outages() {
            return Set.of(OnOutage.ALLOW, OnOutage.DENY);
        }

        @Override
        public AskServer read(ConfigNode node) {
            return new AskServer(CallTargetReader.read(node.field("server")));
        }
    }
}

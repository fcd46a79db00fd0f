package gateway.app.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.http.Body;
import gateway.http.Headers;
import gateway.service.CallAnswer;
import gateway.service.CallRequest;
import gateway.service.CallTarget;
import gateway.service.Calls;
import gateway.service.CallsContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HttpCallsTest implements CallsContract {
    private final List<HttpServer> servers = new ArrayList<>();
    private CallingProxy proxy;

    @BeforeEach
    void start() throws IOException {
        proxy = new CallingProxy();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        servers.forEach(server -> server.stop(0));
    }

    @Override
    public Calls calls() {
        return proxy.calls;
    }

    @Override
    public CallTarget served(Function<CallRequest, CallAnswer> answers) {
        try {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> serve(exchange, answers));
            server.start();
            servers.add(server);
            return CallTarget.of(
                    URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void serve(HttpExchange exchange, Function<CallRequest, CallAnswer> answers) throws IOException {
        try (exchange) {
            Headers headers = Headers.create();
            exchange.getRequestHeaders().forEach((name, values) -> headers.set(name, values.getFirst()));
            CallAnswer answer = answers.apply(new CallRequest(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    headers,
                    Body.of(exchange.getRequestBody().readAllBytes())));
            answer.headers()
                    .forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
            byte[] content = answer.bytes();
            exchange.sendResponseHeaders(answer.status(), content.length == 0 ? -1 : content.length);
            if (content.length > 0) exchange.getResponseBody().write(content);
        }
    }

    @Override
    public CallTarget absent() {
        try (var nobody = new RawUpstream()) {
            return CallTarget.of(URI.create(nobody.url()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package gateway.app.traffic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gateway.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;

/// An Elasticsearch as far as the traffic log can tell, behind a real socket: it keeps documents in the order they came
/// and knows each id once, unless it is told to answer otherwise.
final class BulkServer implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final ConcurrentLinkedQueue<CompletableFuture<Answer>> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger bulks = new AtomicInteger();
    private final Set<String> ids = new HashSet<>();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Integer> troubles = new ConcurrentHashMap<>();
    private volatile Optional<Answer> instead = Optional.empty();

    /// What it says without looking at the documents.
    record Answer(int status, String body) {}

    private BulkServer(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    static BulkServer start() throws IOException {
        return new BulkServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// From now on every `_bulk` is answered so, and nothing is kept.
    void refuse(int status, String body) {
        instead = Optional.of(new Answer(status, body));
    }

    void accept() {
        instead = Optional.empty();
    }

    /// From now on the document of this request is answered so, and not kept; its neighbours are.
    void refuse(String request, int status) {
        troubles.put(request, status);
    }

    void accept(String request) {
        troubles.remove(request);
    }

    /// Keeps the next `_bulk` that nobody holds yet waiting for its answer.
    CompletableFuture<Answer> holdNext() {
        var answer = new CompletableFuture<Answer>();
        held.add(answer);
        return answer;
    }

    /// `_bulk` requests so far.
    int bulks() {
        return bulks.get();
    }

    /// The request ids of the documents kept, in the order they came.
    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean isBulk = exchange.getRequestURI().getPath().endsWith("/_bulk");
            Answer answer = isBulk ? bulk(unpacked(body)) : new Answer(200, "{\"acknowledged\":true}");
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer bulk(String lines) {
        CompletableFuture<Answer> hold = held.poll();
        bulks.incrementAndGet();
        if (hold != null) return hold.join();
        return instead.orElseGet(() -> keep(lines.lines().toList()));
    }

    private synchronized Answer keep(List<String> lines) {
        var items = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i += 2) {
            items.add("{\"create\":" + keep(Json.parse(lines.get(i)), Json.parse(lines.get(i + 1))) + "}");
        }
        return new Answer(200, "{\"errors\":true,\"items\":[" + String.join(",", items) + "]}");
    }

    private String keep(JsonNode action, JsonNode document) {
        String request = document.at("/http/request/id").asString();
        Integer trouble = troubles.get(request);
        if (trouble != null) {
            return "{\"status\":" + trouble + ",\"error\":{\"type\":\"trouble\",\"reason\":\"with " + request + "\"}}";
        }
        if (!ids.add(action.at("/create/_id").asString())) return "{\"status\":409,\"error\":{\"type\":\"conflict\"}}";
        requests.add(request);
        return "{\"status\":201}";
    }

    private static String unpacked(byte[] body) throws IOException {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}

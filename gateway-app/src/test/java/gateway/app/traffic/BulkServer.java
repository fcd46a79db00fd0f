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
    private final AtomicInteger healths = new AtomicInteger();
    private volatile Optional<Answer> instead = Optional.empty();
    private volatile Answer health = healthy("green", 0);

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

    /// From now on the cluster says so of itself.
    void health(Answer says) {
        health = says;
    }

    /// What Elasticsearch 9.5 says of its health.
    static Answer healthy(String status, int unassigned) {
        return new Answer(200, """
                {"cluster_name": "one", "status": "%s", "timed_out": false, "number_of_nodes": 1,
                 "number_of_data_nodes": 1, "active_primary_shards": 3, "active_shards": 3, "relocating_shards": 0,
                 "initializing_shards": 0, "unassigned_shards": %d, "unassigned_primary_shards": %d,
                 "delayed_unassigned_shards": 0, "number_of_pending_tasks": 0, "number_of_in_flight_fetch": 0,
                 "task_max_waiting_in_queue_millis": 0, "active_shards_percent_as_number": 100.0}""".formatted(status, unassigned, unassigned));
    }

    /// How often it was asked for its health.
    int healths() {
        return healths.get();
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
            Answer answer = answer(exchange.getRequestURI().getPath(), body);
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.getResponseHeaders().set("X-Elastic-Product", "Elasticsearch");
            exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Answer answer(String path, byte[] body) throws IOException {
        if (path.endsWith("/_bulk")) return bulk(unpacked(body));
        if (!path.endsWith("/_cluster/health")) return new Answer(200, "{\"acknowledged\":true}");
        healths.incrementAndGet();
        return health;
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

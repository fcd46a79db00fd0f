package gateway.app.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;

/// A collector on loopback: takes spans by OTLP over HTTP, in protobuf.
public final class SpanReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<Received> spans = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Map<String, List<String>>> requests = new LinkedBlockingQueue<>();
    private volatile int status = 200;

    /// @param parent empty when the trace begins here
    /// @param error whether its status says that it failed
    public record Received(
            String trace,
            String id,
            String parent,
            String kind,
            String name,
            boolean error,
            long nanos,
            Map<String, String> attributes,
            Map<String, String> resource) {}

    public SpanReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// Answers this from now on.
    public void answer(int code) {
        status = code;
    }

    public List<Received> spans() {
        return spans;
    }

    /// The spans of one name.
    public List<Received> named(String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    /// The header fields of the next request, as soon as there is one.
    public Map<String, List<String>> request() throws InterruptedException {
        return requests.take();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            InputStream body = exchange.getRequestBody();
            var request = ExportTraceServiceRequest.parseFrom(zipped ? new GZIPInputStream(body) : body);
            requests.add(exchange.getRequestHeaders());
            if (status == 200) request.getResourceSpansList().forEach(this::keep);
            byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
        }
    }

    private void keep(ResourceSpans of) {
        Map<String, String> resource = texts(of.getResource().getAttributesList());
        for (ScopeSpans scope : of.getScopeSpansList()) {
            for (Span span : scope.getSpansList()) {
                spans.add(new Received(
                        HexFormat.of().formatHex(span.getTraceId().toByteArray()),
                        HexFormat.of().formatHex(span.getSpanId().toByteArray()),
                        HexFormat.of().formatHex(span.getParentSpanId().toByteArray()),
                        span.getKind().name().replace("SPAN_KIND_", ""),
                        span.getName(),
                        span.getStatus().getCodeValue() == 2,
                        span.getEndTimeUnixNano() - span.getStartTimeUnixNano(),
                        texts(span.getAttributesList()),
                        resource));
            }
        }
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        var texts = new TreeMap<String, String>();
        for (KeyValue each : attributes) {
            boolean number = each.getValue().hasIntValue();
            texts.put(
                    each.getKey(),
                    number
                            ? Long.toString(each.getValue().getIntValue())
                            : each.getValue().getStringValue());
        }
        return texts;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

package gateway.jmh;

import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Body;
import gateway.http.ClientFacts;
import gateway.http.Exchange;
import gateway.http.Headers;
import gateway.http.PathPattern;
import gateway.http.RequestHead;
import gateway.http.Response;
import gateway.http.RouteFacts;
import gateway.http.UpstreamWaiter;
import gateway.json.ConfigNode;
import gateway.pipeline.Pipeline;
import gateway.pipeline.PipelineRun;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// What the policies that validate and transform cost an order by its size, or pack it as an answer: exchange,
/// hand-over to a worker and what is sent on included. `none` is the same without a policy.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class MessageBenchmark {
    private static final ClientFacts CLIENT = ClientFacts.at(InetAddress.getLoopbackAddress());
    private static final RouteFacts ROUTE = RouteFacts.of("orders", PathPattern.of("/orders"));
    private static final String JSON_LINE = """
            {"sku": "A-1042", "name": "Garden chair, oak, foldable", "quantity": 2, "price": 49.90}""";
    private static final String XML_LINE = "<line><sku>A-1042</sku><name>Garden chair, oak, foldable</name>"
            + "<quantity>2</quantity><price>49.90</price></line>";
    private static final String LINE_SCHEMA = """
            {"type": "object", "required": ["sku", "quantity", "price"], "additionalProperties": false, "properties": {
              "sku": {"type": "string", "pattern": "^[A-Z]-[0-9]+$"}, "name": {"type": "string", "maxLength": 80},
              "quantity": {"type": "integer", "minimum": 1}, "price": {"type": "number", "exclusiveMinimum": 0}}}""";
    private static final String OPENAPI = """
            {"openapi": "3.1.0", "info": {"title": "Orders", "version": "1"}, "paths": {"/": {"post": {
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
                "required": ["lines"], "properties": {"lines": {"type": "array", "items": %s}}}}}},
              "responses": {"200": {"description": "Taken"}}}}}}""".formatted(LINE_SCHEMA);
    private static final String XSD = """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:orders" xmlns="urn:orders"
                elementFormDefault="qualified">
              <xs:simpleType name="Sku"><xs:restriction base="xs:string"><xs:pattern value="[A-Z]-[0-9]+"/>
              </xs:restriction></xs:simpleType>
              <xs:complexType name="Line"><xs:sequence><xs:element name="sku" type="Sku"/>
                <xs:element name="name" type="xs:string" minOccurs="0"/>
                <xs:element name="quantity" type="xs:positiveInteger"/><xs:element name="price" type="xs:decimal"/>
              </xs:sequence></xs:complexType>
              <xs:element name="order"><xs:complexType><xs:sequence>
                <xs:element name="line" type="Line" maxOccurs="unbounded"/></xs:sequence></xs:complexType></xs:element>
            </xs:schema>""";
    private static final String XSL = """
            <xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:o="urn:orders"
                exclude-result-prefixes="o">
              <xsl:template match="/o:order"><basket total="{sum(o:line/(o:quantity * o:price))}">
                <xsl:for-each-group select="o:line" group-by="o:sku"><item sku="{current-grouping-key()}"
                  pieces="{sum(current-group()/o:quantity)}"/></xsl:for-each-group>
                <xsl:apply-templates select="o:line"/></basket></xsl:template>
              <xsl:template match="o:line"><entry><xsl:value-of select="upper-case(o:name)"/>,
                <xsl:value-of select="format-number(o:price, '0.00')"/></entry></xsl:template>
            </xsl:stylesheet>""";
    private static final String FIELD = "line000000000: line(sku: \\\"A-1042\\\") { name quantity price }";
    private static final String UNKNOWN = "graphql-guard, unknown"; // no document comes twice
    private static final int LAST_NAME = 52; // from its last digit to the end
    private static final int LONGEST_TEMPLATE = 16 * 1024; // above that it is told as it stands
    private static final String SCRIPT = """
            const order = request.body; const seen = {}; let total = 0;
            for (let line of order.lines) {
              total += line.quantity * line.price;
              seen[line.sku] = (seen[line.sku] || 0) + line.quantity;
              if (line.quantity > 100) fail('too many of ' + line.sku);
            }
            order.total = total;
            order.skus = Object.keys(seen).length;
            order.by = request.headers['X-Caller'] || 'nobody';
            request.body = order;""";

    @Param({
        "none",
        "content-limits",
        "json-schema",
        "openapi-validation",
        "json-transform",
        "body-template",
        "script",
        "xml-schema",
        "xslt",
        "convert",
        "graphql-guard",
        "graphql-guard, unknown",
        "mock-response",
        "gzip",
        "br",
        "zstd"
    })
    String policy = "none";

    @Param({"1024", "5120", "51200"})
    int bytes = 1024;

    private String type = "application/json";
    private byte[] body = new byte[0];
    int sent;
    private int number;
    private boolean packs; // the answer, which is the order
    private @Nullable Pipeline pipeline;

    @Setup
    public void compile() {
        boolean xml = policy.startsWith("x") || policy.equals("convert");
        type = xml ? "application/xml" : "application/json";
        body = switch (policy) {
            case "xml-schema", "xslt", "convert" -> order("<order xmlns=\"urn:orders\">", XML_LINE, "", "</order>");
            case "graphql-guard", UNKNOWN -> order("{\"query\": \"{ ", FIELD, " ", " }\"}");
            case "gzip", "br", "zstd" -> various();
            default -> order("{\"lines\": [", JSON_LINE, ", ", "]}");
        };
        ConfigNode node = ConfigNode.parse("""
                {"id": "orders", "match": {"path": "/orders"}, "policies": [%s],
                 "upstream": {"targets": [{"url": "http://127.0.0.1:9001"}]}}""".formatted(definition()));
        var services = BenchmarkServices.open().with("order.xsd", XSD).with("order.xsl", XSL);
        var api = new DefinitionReader(PolicyRegistry.load()).read(node);
        node.throwIfInvalid();
        packs = List.of("gzip", "br", "zstd").contains(policy);
        pipeline = Pipeline.compile(api.id(), api.policies(), (exchange, waiter) -> taken(exchange), services);
    }

    private byte[] order(String start, String line, String between, String end) {
        var text = new StringBuilder(start).append(line);
        while (text.length() < bytes) text.append(between).append(line);
        return text.append(end).toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Lines that differ as orders do: what is repeated to the letter packs into nothing.
    private byte[] various() {
        var random = new SplittableRandom(7);
        var text = new StringBuilder("{\"lines\": [");
        while (text.length() < bytes) {
            if (text.charAt(text.length() - 1) == '}') text.append(", ");
            text.append("{\"sku\": \"%c-%04d\", \"name\": \"%s, %s\", \"quantity\": %d, \"price\": %d.%02d}"
                    .formatted(
                            'A' + random.nextInt(26),
                            random.nextInt(10_000),
                            Long.toString(random.nextLong(1L << 40), 36),
                            Long.toString(random.nextLong(1L << 30), 36),
                            random.nextInt(1, 100),
                            random.nextInt(500),
                            random.nextInt(100)));
        }
        return text.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private String definition() {
        return switch (policy) {
            case "none" -> "";
            case "content-limits" ->
                "{\"type\": \"content-limits\", \"json\": {\"elements\": 10000, \"tokens\": 100000}}";
            case "json-schema" ->
                "{\"type\": \"json-schema\", \"schema\": {\"type\": \"object\", \"properties\": {\"lines\": {\"type\": \"array\", \"items\": %s}}}}"
                        .formatted(LINE_SCHEMA);
            case "openapi-validation" -> "{\"type\": \"openapi-validation\", \"document\": %s}".formatted(OPENAPI);
            case "json-transform" -> """
                    {"type": "json-transform", "operations": [{"set": "/servedBy", "value": "{api.id}"},
                      {"mask": "/lines/*/sku", "keep": 2}, {"remove": "/lines/*/name"}]}""";
            case "body-template" -> """
                    {"type": "body-template", "contentType": "application/json", "template":
                      "{\\"rows\\": [{{#body.lines}}{{^-first}}, {{/-first}}{\\"id\\": {{sku}}, \\"n\\": {{quantity}}}{{/body.lines}}]}"}""";
            case "script" ->
                "{\"type\": \"script\", \"time\": \"1s\", \"body\": \"json\", \"source\": \"%s\"}"
                        .formatted(SCRIPT.replace("\n", "\\n"));
            case "xml-schema" -> "{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"order.xsd\"}]}";
            case "xslt" -> "{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"order.xsl\"}}";
            case "graphql-guard", UNKNOWN ->
                "{\"type\": \"graphql-guard\", \"tokens\": 100000, \"aliases\": 10000, \"fields\": 10000}";
            case "mock-response" ->
                "{\"type\": \"mock-response\", \"template\": %s, \"json\": %s}"
                        .formatted(
                                bytes < LONGEST_TEMPLATE,
                                new String(body, StandardCharsets.UTF_8).replaceFirst("A-1042", "{api.id}"));
            case "gzip", "br", "zstd" -> "{\"type\": \"compression\", \"encodings\": [\"%s\"]}".formatted(policy);
            default -> "{\"type\": \"convert\", \"request\": \"xml-to-json\", \"arrays\": [\"/order/line\"]}";
        };
    }

    /// The upstream has read what was sent on.
    private Response taken(Exchange exchange) {
        if (exchange.body().bytes(Integer.MAX_VALUE).length == 0) throw new IllegalStateException("nothing arrived");
        return packs ? Response.of(200, type, body) : Response.of(200);
    }

    /// By another name of its last field.
    private void nextDocument() {
        body = body.clone();
        int left = ++number;
        for (int at = body.length - LAST_NAME; left > 0; left /= 10) body[at--] = (byte) ('0' + left % 10);
    }

    @Benchmark
    public Response through() {
        if (policy.equals(UNKNOWN)) nextDocument();
        Headers headers = Headers.create();
        headers.add("Content-Type", type);
        if (packs) headers.add("Accept-Encoding", policy);
        var head = new RequestHead("POST", "http", "api.example.com", "/orders", "/orders", "");
        var exchange = new Exchange("1", head, CLIENT, ROUTE, headers, Body.of(body), Long.MAX_VALUE, null);
        Response response = Objects.requireNonNull(pipeline).run(exchange, new PipelineRun(UpstreamWaiter.NOBODY));
        if (response.status() != 200)
            throw new IllegalStateException(
                    "answered " + new String(response.body().bytes(4096), StandardCharsets.UTF_8));
        if (packs) sent = response.body().bytes(Integer.MAX_VALUE).length;
        return response;
    }
}

package gateway.app.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.capture.CapturedBody;
import gateway.http.Outcome;
import gateway.json.Json;
import gateway.service.TrafficRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RecordEncoderTest {
    private static final TrafficRecord.Detail NONE = TrafficRecord.Detail.NONE;

    @Test
    void writes_every_field_under_its_ecs_name() {
        var json = new JsonBytes(64);

        new RecordEncoder("run", "node-1", false).write(Records.numbered(7), json);

        assertThat(text(json)).isEqualTo("""
                {"@timestamp":"2026-09-10T00:26:40.123Z","event":{"id":"run-1","duration":345678},\
                "http":{"request":{"id":"request-7","method":"GET","body":{"bytes":0}},\
                "response":{"status_code":200,"body":{"bytes":1024}}},\
                "url":{"path":"/orders/items/7","domain":"api.example.com"},"client":{"ip":"10.1.2.3"},\
                "user_agent":{"original":"curl/8.5.0"},"trace":{"id":"4bf92f3577b34da6a3ce929d0e0e4736"},\
                "service":{"name":"orders"},"user":{"id":"key_01J"},\
                "gateway":{"node":"node-1","revision":17,"api":"Orders","key":"alice","tags":["gold"],\
                "upstream":"http://10.0.0.1:9001","upstream_duration":300000,"gateway_duration":45678,\
                "outcome":"complete"}}
                """);
    }

    @Test
    void leaves_out_what_is_not_known() {
        var json = new JsonBytes(64);
        var request = new TrafficRecord.Request("r", "GET", "h", "/", Records.address("2001:db8::1"), "", "", 3);
        var api = new TrafficRecord.Api("", "", 0, "", "key-auth", Optional.empty());
        var record = new TrafficRecord(0, request, api, new Outcome(401, Outcome.Ending.CLIENT_GONE, 0, 5), 0, NONE);

        new RecordEncoder("run", "n", false).write(record, json);

        assertThat(text(json)).isEqualTo("""
                {"@timestamp":"1970-01-01T00:00:00.000Z","event":{"id":"run-1","duration":5},\
                "http":{"request":{"id":"r","method":"GET","body":{"bytes":3}},\
                "response":{"status_code":401,"body":{"bytes":0}}},"url":{"path":"/","domain":"h"},\
                "client":{"ip":"2001:db8:0:0:0:0:0:1"},\
                "gateway":{"node":"n","revision":0,"gateway_duration":5,"policy":"key-auth","outcome":"client-gone"}}
                """);
    }

    @Test
    void tells_why_the_gateway_refused() {
        var json = new JsonBytes(64);
        TrafficRecord plain = Records.numbered(7);
        var api = new TrafficRecord.Api("orders", "Orders", "", 17, "", "quota", "quota-exceeded", Optional.empty());

        new RecordEncoder("run", "n", false)
                .write(new TrafficRecord(0, plain.request(), api, plain.outcome(), 0, NONE), json);

        assertThat(text(json)).contains("\"policy\":\"quota\",\"reason\":\"quota-exceeded\",\"outcome\"");
    }

    @Test
    void names_the_version_of_http() {
        var json = new JsonBytes(64);
        var request = new TrafficRecord.Request("r", "GET", "h", "/", Records.address("10.0.0.1"), "", "", 3, "2");
        var api = new TrafficRecord.Api("", "", 0, "", "", Optional.empty());
        var record = new TrafficRecord(0, request, api, new Outcome(200, Outcome.Ending.COMPLETE, 0, 5), 0, NONE);

        new RecordEncoder("run", "n", false).write(record, json);

        assertThat(text(json)).contains("\"http\":{\"version\":\"2\",\"request\":{\"id\":\"r\"");
    }

    @Test
    void names_the_version_of_an_api_that_has_some() {
        var json = new JsonBytes(64);
        TrafficRecord plain = Records.numbered(7);
        var api = new TrafficRecord.Api("orders", "Orders", "v2", 17, "", "", "", Optional.empty());

        new RecordEncoder("run", "n", false)
                .write(new TrafficRecord(0, plain.request(), api, plain.outcome(), 0, NONE), json);

        assertThat(text(json)).contains("\"revision\":17,\"api\":\"Orders\",\"api_version\":\"v2\"");
    }

    @Test
    void puts_the_id_of_the_record_into_its_bulk_action() {
        var json = new JsonBytes(64);
        var encoder = new RecordEncoder("run", "n", true);

        encoder.write(Records.numbered(1), json);
        encoder.write(Records.numbered(2), json);

        assertThat(text(json).lines().filter(line -> line.startsWith("{\"create\"")))
                .containsExactly("{\"create\":{\"_id\":\"run-1\"}}", "{\"create\":{\"_id\":\"run-2\"}}");
    }

    @Test
    void gathers_repeated_headers_under_one_name() {
        var json = new JsonBytes(64);
        var detail = new TrafficRecord.Detail(
                "a=1",
                List.of("Accept", "a", "X-B", "1", "accept", "b"),
                List.of("E", "2"),
                CapturedBody.NONE,
                CapturedBody.NONE);

        new RecordEncoder("run", "n", false).write(Records.record("r", "/", "", List.of(), detail), json);

        assertThat(text(json))
                .contains("\"query\":\"a=1\"")
                .endsWith(",\"request\":{\"headers\":{\"accept\":[\"a\",\"b\"],\"x-b\":[\"1\"]}},"
                        + "\"response\":{\"headers\":{\"e\":[\"2\"]}}}}\n");
    }

    @Property(tries = 500)
    void any_text_reads_back_as_it_was(@ForAll("texts") String text) {
        var json = new JsonBytes(1);

        json.text(text);

        assertThat(Json.parse(text(json)).stringValue()).isEqualTo(mended(text));
    }

    @Property(tries = 200)
    void any_record_is_one_line_of_strict_json(
            @ForAll("texts") String path, @ForAll("texts") String agent, @ForAll("texts") String tag) {
        var json = new JsonBytes(1);
        var detail =
                new TrafficRecord.Detail(path, List.of("A", agent), List.of(), CapturedBody.NONE, CapturedBody.NONE);

        new RecordEncoder("run", "n", false).write(Records.record("r", path, agent, List.of(tag), detail), json);

        assertThat(text(json)).containsOnlyOnce("\n").endsWith("\n");
        var tree = Json.parse(text(json));
        assertThat(tree.at("/url/path").stringValue()).isEqualTo(mended(path));
        assertThat(tree.at("/gateway/tags/0").stringValue()).isEqualTo(mended(tag));
    }

    @Property(tries = 200)
    void any_number_reads_back_as_it_was(@ForAll long number) {
        assertThat(text(new JsonBytes(1).number(number))).isEqualTo(Long.toString(number));
    }

    /// All of UTF-16, lone surrogates included.
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().all().ofMaxLength(60),
                Arbitraries.strings().withCharRange('\ud700', '\ue0ff').ofMaxLength(20),
                Arbitraries.strings().withCharRange('\0', '\u00ff').ofMaxLength(60));
    }

    /// A lone surrogate cannot be written as UTF-8.
    private static String mended(String text) {
        var mended = new StringBuilder();
        text.codePoints().map(c -> c >= 0xd800 && c < 0xe000 ? 0xfffd : c).forEach(mended::appendCodePoint);
        return mended.toString();
    }

    private static String text(JsonBytes json) {
        return new String(json.array(), 0, json.length(), StandardCharsets.UTF_8);
    }
}

package gateway.app.traffic;

import static gateway.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.traffic.TrafficTarget.Credentials;
import gateway.http.Secret;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who the gateway talks to and who it says it is: a real Elasticsearch that speaks TLS and asks for credentials.
/// Every log line of every test is kept, at the most talkative level: no secret stands in any.
class TrafficLogSecurityIT {
    private static final URI DEAD = URI.create("https://127.0.0.1:9");
    private static final Credentials BASIC =
            new Credentials.Basic(ElasticsearchProcess.USER, new Secret(ElasticsearchProcess.PASSWORD));

    private static final Credentials SHIPPER =
            new Credentials.Basic("shipper", new Secret(ElasticsearchProcess.PASSWORD));
    private static final Credentials KEEPER =
            new Credentials.Basic("keeper", new Secret(ElasticsearchProcess.PASSWORD));
    private static final Credentials WRITER =
            new Credentials.Basic("writer", new Secret(ElasticsearchProcess.PASSWORD));

    @TempDir
    static Path work;

    private static Path right;
    private static Path wrong;
    private static ElasticsearchProcess elasticsearch;

    private LogLines log;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        right = TestCertificates.make(work, "right");
        wrong = TestCertificates.make(work, "wrong");
        elasticsearch = ElasticsearchProcess.start(work.resolve("es"), right, work.resolve("right.key"));
    }

    @AfterAll
    static void stop() throws IOException {
        if (elasticsearch != null) elasticsearch.close();
    }

    @BeforeEach
    void listen() {
        log = LogLines.atTrace();
    }

    @AfterEach
    void no_password_was_logged() {
        log.close();
        assertNotLogged(ElasticsearchProcess.PASSWORD);
        for (String user : List.of(ElasticsearchProcess.USER, "shipper", "keeper", "writer")) {
            assertNotLogged(base64(user + ":" + ElasticsearchProcess.PASSWORD));
        }
    }

    @Test
    void ships_over_tls_to_a_node_that_the_given_authority_vouches_for() throws IOException {
        TrafficShipper shipper = shipper("tls", Optional.of(right), BASIC, elasticsearch.uri());

        ship(shipper, 200);

        assertThat(shipper.state()).isEqualTo(new TrafficState(TrafficState.Condition.SHIPPING, ""));
        shipper.close();
        assertThat(count("tls")).isEqualTo(200);
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void keeps_records_from_a_node_that_nobody_vouches_for_says_so_once_and_ships_when_that_is_mended()
            throws IOException {
        for (Optional<Path> authorities : List.of(Optional.of(wrong), Optional.<Path>empty())) {
            TrafficShipper shipper = shipper("authority", authorities, BASIC, elasticsearch.uri());
            long found = authorities.isPresent() ? 0 : 100;

            for (int i = 0; i < 100; i++) shipper.record(Records.numbered(found + i));
            until(
                    () -> shipper.counts().spilled() == found + 100
                            && shipper.counts().isBalanced()
                            && shipper.state().condition() == TrafficState.Condition.AWAY,
                    shipper::counts);

            assertThat(shipper.state().reason()).contains("PKIX path");
            shipper.close();
        }
        assertThat(log.warnings())
                .hasSize(2)
                .allMatch(line -> line.contains("Elasticsearch does not take traffic records, they go to disk"));

        TrafficShipper mended = shipper("authority", Optional.of(right), BASIC, elasticsearch.uri());
        until(() -> mended.counts().indexed() == 200 && mended.counts().spilled() == 0, mended::counts);
        mended.close();
        assertThat(count("authority")).isEqualTo(200);
    }

    @Test
    void keeps_records_from_a_node_whose_certificate_is_for_another_name() {
        URI otherName = URI.create("https://localhost:" + elasticsearch.uri().getPort());
        TrafficShipper shipper = shipper("name", Optional.of(right), BASIC, otherName);

        for (int i = 0; i < 10; i++) shipper.record(Records.numbered(i));
        until(() -> shipper.counts().spilled() == 10, shipper::counts);

        assertThat(shipper.state().condition()).isEqualTo(TrafficState.Condition.AWAY);
        assertThat(shipper.state().reason()).contains("Certificate for <localhost> doesn't match");
        shipper.close();
    }

    @Test
    void ships_with_no_more_rights_than_the_documents_ask_for() throws IOException {
        TrafficShipper shipper = shipper("shipper", Optional.of(right), SHIPPER, elasticsearch.uri());

        ship(shipper, 200);

        shipper.close();
        assertThat(count("shipper")).isEqualTo(200);
        assertThat(elasticsearch
                        .get("/_index_template/logs-gateway.traffic-shipper")
                        .at("/index_templates"))
                .hasSize(1);
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void the_privilege_that_the_documents_ask_for_is_one_and_only_the_documented_role_has_it() throws IOException {
        String index = "logs-gateway.traffic-any";

        assertThat(elasticsearch.hasPrivilege("shipper", index, "manage_data_stream_lifecycle"))
                .isTrue();
        assertThat(elasticsearch.hasPrivilege("keeper", index, "manage_data_stream_lifecycle"))
                .isFalse();
        assertThat(elasticsearch.hasPrivilege("keeper", index, "create_doc")).isTrue();
    }

    @Test
    void ships_without_the_privilege_for_the_retention_and_says_at_most_that_it_is_missing() throws IOException {
        TrafficShipper shipper = shipper("keeper", Optional.of(right), KEEPER, elasticsearch.uri());

        ship(shipper, 50);

        shipper.close();
        assertThat(count("keeper")).isEqualTo(50);
        assertThat(log.warnings())
                .hasSize(elasticsearch.hasLifecycleApi() ? 1 : 0)
                .allMatch(line -> line.contains("lack the index privilege manage_data_stream_lifecycle"));
    }

    @Test
    void tells_a_data_stream_that_exists_its_retention() throws IOException {
        assumeTrue(elasticsearch.hasLifecycleApi(), "this Elasticsearch has no module data-streams");
        elasticsearch.put(
                "/_index_template/logs-gateway.traffic-older",
                "{\"index_patterns\": [\"logs-gateway.traffic-older\"], \"priority\": 700, \"data_stream\": {}, "
                        + "\"template\": {\"lifecycle\": {\"data_retention\": \"1d\"}}}");
        elasticsearch.put("/_data_stream/logs-gateway.traffic-older", "");
        TrafficShipper shipper = shipper("older", Optional.of(right), SHIPPER, elasticsearch.uri());

        ship(shipper, 50);

        shipper.close();
        assertThat(elasticsearch
                        .get("/_data_stream/logs-gateway.traffic-older/_lifecycle")
                        .at("/data_streams/0/lifecycle/data_retention")
                        .asString())
                .isEqualTo("7d");
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void uses_the_template_in_place_where_it_may_not_install_one() throws IOException {
        elasticsearch.put(
                "/_index_template/logs-gateway.traffic-writer",
                "{\"index_patterns\": [\"logs-gateway.traffic-writer\"], \"priority\": 700, \"data_stream\": {}}");
        TrafficShipper shipper = shipper("writer", Optional.of(right), WRITER, elasticsearch.uri());

        ship(shipper, 50);

        shipper.close();
        assertThat(count("writer")).isEqualTo(50);
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("may not install the index template, the one in place is used: HTTP 403");
    }

    @Test
    void keeps_records_while_its_api_key_is_unknown() {
        String key = base64("no-such-id:no-such-secret");
        TrafficShipper shipper =
                shipper("unknown", Optional.of(right), new Credentials.ApiKey(new Secret(key)), elasticsearch.uri());

        for (int i = 0; i < 10; i++) shipper.record(Records.numbered(i));
        until(() -> shipper.counts().spilled() == 10 && !log.warnings().isEmpty(), shipper::counts);

        assertThat(shipper.state().reason())
                .contains("401", "apikey authentication for id no-such-id")
                .doesNotContain(key)
                .doesNotContain("no-such-secret");
        shipper.close();
        assertThat(log.warnings()).hasSize(1);
        assertKeyNotLogged(key);
    }

    @Test
    void passes_over_a_dead_node() throws IOException {
        TrafficShipper shipper = shipper("nodes", Optional.of(right), BASIC, DEAD, elasticsearch.uri());

        for (int round = 1; round <= 10; round++) {
            long wanted = round * 100L;
            for (int i = 0; i < 100; i++) shipper.record(Records.numbered(wanted + i));
            until(() -> shipper.counts().indexed() == wanted && shipper.counts().isBalanced(), shipper::counts);
        }

        assertThat(shipper.counts()).isEqualTo(new TrafficCounts(1000, 0, 1000, 0, 0, 0, 0, 0, 0));
        shipper.close();
        assertThat(count("nodes")).isEqualTo(1000);
        assertThat(log.warnings()).isEmpty();
    }

    private static void ship(TrafficShipper shipper, int count) {
        for (int i = 0; i < count; i++) shipper.record(Records.numbered(i));
        until(() -> shipper.counts().indexed() == count && shipper.counts().isBalanced(), shipper::counts);
    }

    private static TrafficShipper shipper(
            String name, Optional<Path> authorities, Credentials credentials, URI... nodes) {
        var target = new TrafficTarget.Elasticsearch(
                List.of(nodes),
                credentials,
                authorities,
                "logs-gateway.traffic-" + name,
                Duration.ofDays(7),
                Optional.empty(),
                3,
                Duration.ofSeconds(10),
                work.resolve("spill-" + name),
                1L << 28);
        var settings = new TrafficSettings(
                "node-1", 16_384, 100, 1 << 20, Duration.ofMillis(50), Duration.ofSeconds(10), target);
        return TrafficShipper.start(settings, InstantSource.system());
    }

    private static long count(String name) throws IOException {
        elasticsearch.post("/logs-gateway.traffic-" + name + "/_refresh", "");
        return elasticsearch
                .get("/logs-gateway.traffic-" + name + "/_count")
                .path("count")
                .asLong();
    }

    private void assertKeyNotLogged(String encoded) {
        assertNotLogged(encoded);
        String decoded = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        assertNotLogged(decoded.substring(decoded.indexOf(':') + 1));
    }

    private void assertNotLogged(String secret) {
        assertThat(log.lines().stream().filter(line -> line.contains(secret))).isEmpty();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}

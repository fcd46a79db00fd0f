package gateway.app.admin;

import static gateway.app.admin.AdminServer.definition;
import static gateway.app.admin.AdminServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.log.CapturedLog;
import gateway.service.AuditEntry;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Writes while the audit log takes no entries, and when it takes them again.
final class AuditOutageTest {
    private static final String LOGGER = "gateway.app.admin.AuditTrail";

    private final AdminServer server = new AdminServer();

    @AfterEach
    void stop() {
        server.delete("/loggers/" + LOGGER);
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST   | /apis                 | 201 | POST apis (sales)",
                "PUT    | /apis/sales           | 201 | PUT apis/sales",
                "PUT    | /apis/orders          | 200 | PUT apis/orders",
                "DELETE | /apis/orders          | 204 | DELETE apis/orders",
                "POST   | /revisions/0/rollback | 200 | POST revisions/0/rollback",
                "POST   | /keys                 | 201 | POST keys (k2)",
                "PUT    | /keys/k1              | 200 | PUT keys/k1",
                "POST   | /keys/k1/rotate       | 200 | POST keys/k1/rotate",
                "DELETE | /keys/k1              | 204 | DELETE keys/k1",
                "POST   | /reload               | 200 | POST reload",
                "PUT    | /loggers/" + LOGGER + " | 200 | PUT loggers/" + LOGGER + " (warn)",
                "DELETE | /loggers/" + LOGGER + " | 204 | DELETE loggers/" + LOGGER
            })
    void a_write_is_answered_as_done_and_its_entry_follows_later(
            String method, String path, int status, String action) {
        exist();
        server.audit.goAway();

        HttpResponse<String> answer = server.write(method, path, body(method, path));
        long missed = server.trail.missed();
        server.audit.comeBack();
        Entries entries = new Entries(server.get("/audit"));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(missed).isEqualTo(1);
        assertThat(server.trail.waiting()).isZero();
        assertThat(entries.actions()).containsExactly(action, "POST keys (k1)", "POST apis (orders)");
    }

    @Test
    void a_rotated_secret_is_answered_and_opens() {
        exist();
        server.audit.goAway();

        HttpResponse<String> rotated = server.write("POST", "/keys/k1/rotate", "");

        assertThat(server.services
                        .keys()
                        .authenticate(json(rotated).get("secret").stringValue()))
                .isPresent();
    }

    @Test
    void what_waits_is_written_in_order_before_the_next_entry() {
        exist();
        server.audit.goAway();
        server.post("/apis", definition("sales", "/sales"));
        server.delete("/keys/k1");
        server.audit.comeBack();

        server.post("/keys", "{\"id\": \"k2\"}");

        assertThat(server.audit.latest(0, 3))
                .map(AuditEntry::action)
                .containsExactly("POST keys (k2)", "DELETE keys/k1", "POST apis (sales)");
        assertThat(server.audit.latest(2, 1))
                .map(entry -> List.of(entry.fromRevision(), entry.toRevision()))
                .containsExactly(List.of(1L, 2L));
    }

    @Test
    void the_operators_log_has_the_whole_entry_at_error() {
        exist();
        server.audit.goAway();

        try (var log = new CapturedLog()) {
            server.delete("/apis/orders");

            assertThat(log.text())
                    .contains("ERROR")
                    .contains("done, but not in the audit log yet: DELETE apis/orders at ")
                    .contains("revision 1 to 2")
                    .doesNotContain(AdminServer.TOKEN);
        }
    }

    @Test
    void no_more_than_the_queue_holds_wait_and_the_oldest_are_given_up() {
        var trail = new AuditTrail(server.audit, 3);
        server.audit.goAway();
        for (int i = 0; i < 5; i++) trail.append(new AuditEntry(Instant.EPOCH, "token:1", "write " + i, 0, 0));
        server.audit.comeBack();

        trail.close();

        assertThat(trail.missed()).isEqualTo(5);
        assertThat(trail.dropped()).isEqualTo(2);
        assertThat(server.audit.latest(0, 10)).map(AuditEntry::action).containsExactly("write 4", "write 3", "write 2");
    }

    private void exist() {
        server.post("/apis", definition("orders", "/orders"));
        server.post("/keys", "{\"id\": \"k1\"}");
    }

    private static String body(String method, String path) {
        if (path.endsWith("/rollback") || path.endsWith("/rotate") || path.equals("/reload")) return "";
        if (method.equals("DELETE")) return "";
        if (path.startsWith("/loggers")) return "{\"level\": \"warn\"}";
        if (path.startsWith("/keys")) return path.equals("/keys") ? "{\"id\": \"k2\"}" : "{}";
        return path.endsWith("orders") ? definition("orders", "/o2") : definition("sales", "/sales");
    }

    /// The entries of an answered page.
    private record Entries(HttpResponse<String> page) {
        List<String> actions() {
            return json(page)
                    .get("items")
                    .valueStream()
                    .map(entry -> entry.get("action").stringValue())
                    .toList();
        }
    }
}

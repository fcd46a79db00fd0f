package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Plans of keys on a whole gateway.
@Timeout(60)
final class GatewayPlansTest {
    private static final String TWO_A_DAY =
            "{\"quota\": {\"requests\": 2, \"per\": \"1d\"}, \"apis\": {\"orders\": {}}}";

    @TempDir
    private Path data;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private HttpServer upstream;
    private DefinedGateway gateway;
    private AdminClient admin;

    @BeforeEach
    void start() throws IOException {
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        upstream.start();
        gateway = DefinedGateway.start(data);
        admin = gateway.admin();
    }

    @AfterEach
    void stop() {
        gateway.close();
        client.close();
        upstream.stop(0);
    }

    @Test
    void a_plan_opens_apis_and_bounds_its_keys_though_the_api_has_no_limit() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}");
        define("other", "{\"type\": \"key-auth\"}");
        admin.call("PUT", "/plans/gold", TWO_A_DAY);
        String secret = key("{\"id\": \"alice\", \"plan\": \"gold\"}");
        String another = key("{\"id\": \"bob\", \"plan\": \"gold\"}");

        assertThat(call("orders", secret)).isEqualTo(200);
        assertThat(call("orders", secret)).isEqualTo(200);
        assertThat(call("orders", secret)).isEqualTo(429);
        assertThat(call("orders", another)).isEqualTo(200); // each key has a counter of its own
        assertThat(call("other", secret)).isEqualTo(403);
        assertThat(admin.call("GET", "/keys/alice/usage", "").toString())
                .contains("\"plan\":\"gold\"", "\"policy\":\"key:quota\"", "\"remaining\":0");
    }

    @Test
    void methods_that_are_none_are_refused_in_what_is_written() throws Exception {
        String apis = "\"apis\": {\"orders\": {\"paths\": [{\"path\": \"/\", \"methods\": [\"ge t\"]}]}}";
        String changes = "{\"put\": [{\"kind\": \"plans\", \"document\": {\"id\": \"gold\", " + apis + "}}]}";

        var plan = admin.send("PUT", "/admin/v1/plans/gold", "{" + apis + "}");
        var several = admin.send("POST", "/admin/v1/changes", changes);
        var key = admin.send("POST", "/admin/v1/keys", "{\"id\": \"alice\", " + apis + "}");

        assertThat(List.of(plan.statusCode(), several.statusCode(), key.statusCode()))
                .containsOnly(422);
        assertThat(plan.body()).contains("\"/apis/orders/paths/0/methods/0\"");
        assertThat(several.body()).contains("\"/plans/gold/apis/orders/paths/0/methods/0\"");
        assertThat(key.body()).contains("expected a method such as");
    }

    @Test
    void a_stored_plan_with_methods_that_are_none_opens_the_rest() throws Exception {
        gateway.close();
        Files.createDirectories(data.resolve("plans"));
        Files.writeString(
                data.resolve("plans/gold.json"),
                "{\"id\": \"gold\", \"apis\": {\"orders\": {\"paths\":"
                        + " [{\"path\": \"/\", \"methods\": [\"ge t\", \"GET\"]}]}}}");
        gateway = DefinedGateway.start(data);
        admin = gateway.admin();
        define("orders", "{\"type\": \"key-auth\"}");

        assertThat(call("orders", key("{\"id\": \"alice\", \"plan\": \"gold\"}")))
                .isEqualTo(200);
    }

    @Test
    void what_a_key_without_a_plan_says_bounds_it_though_the_api_has_no_limit() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}");
        String bounded = key(
                "{\"id\": \"alice\", \"apis\": {\"orders\": {}}," + " \"quota\": {\"requests\": 2, \"per\": \"1d\"}}");
        String another = key("{\"id\": \"bob\", \"apis\": {\"orders\": {}}}");

        assertThat(call("orders", bounded)).isEqualTo(200);
        assertThat(call("orders", bounded)).isEqualTo(200);
        assertThat(call("orders", bounded)).isEqualTo(429);
        assertThat(call("orders", another)).isEqualTo(200);
        assertThat(admin.call("GET", "/keys/alice/usage", "").toString())
                .contains("\"policy\":\"key:quota\"", "\"remaining\":0");
    }

    @Test
    void a_changed_plan_holds_at_once_and_what_was_spent_stays_spent() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}");
        admin.call("PUT", "/plans/gold", TWO_A_DAY);
        String secret = key("{\"id\": \"alice\", \"plan\": \"gold\"}");
        for (int i = 0; i < 3; i++) call("orders", secret);

        admin.call("PUT", "/plans/gold", TWO_A_DAY.replace("2", "3"));

        assertThat(call("orders", secret)).isEqualTo(200);
        assertThat(call("orders", secret)).isEqualTo(429);
    }

    @Test
    void what_the_key_says_wins_and_is_charged_once_beside_a_limit_of_the_api() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}, {\"type\": \"quota\", \"requests\": 100, \"per\": \"1d\"}");
        admin.call("PUT", "/plans/gold", TWO_A_DAY);
        String secret = key("{\"id\": \"alice\", \"plan\": \"gold\", \"quota\": {\"requests\": 4, \"per\": \"1d\"}}");

        for (int i = 0; i < 4; i++) assertThat(call("orders", secret)).isEqualTo(200);
        assertThat(call("orders", secret)).isEqualTo(429);
        assertThat(admin.call("GET", "/keys/alice/usage", "").get("limits").size())
                .isOne();
    }

    @Test
    void what_key_and_plan_open_is_united() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}");
        define("other", "{\"type\": \"key-auth\"}");
        admin.call("PUT", "/plans/readers", "{\"apis\": {\"orders\": {\"paths\": [{\"path\": \"/read\"}]}}}");
        String secret = key("""
                {"id": "alice", "plan": "readers",
                 "apis": {"other": {}, "orders": {"paths": [{"path": "/mine"}]}}}""");

        assertThat(call("orders/read", secret)).isEqualTo(200);
        assertThat(call("orders/mine", secret)).isEqualTo(200);
        assertThat(call("orders/else", secret)).isEqualTo(403);
        assertThat(call("other", secret)).isEqualTo(200);
    }

    @Test
    void a_plan_in_use_is_not_deleted_and_one_that_is_gone_opens_nothing() throws Exception {
        define("orders", "{\"type\": \"key-auth\"}");
        admin.call("PUT", "/plans/gold", TWO_A_DAY);
        String secret = key("{\"id\": \"alice\", \"plan\": \"gold\", \"apis\": {\"orders\": {}}}");

        HttpResponse<String> refused = admin.send("DELETE", "/admin/v1/plans/gold", "");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("/keys/alice");
        assertThat(admin.send("POST", "/admin/v1/revisions/1/rollback", "").statusCode())
                .isEqualTo(409);
        Files.delete(data.resolve("plans/gold.json"));
        admin.call("POST", "/reload", "");

        assertThat(call("orders", secret)).isEqualTo(403);
        admin.call("PUT", "/keys/alice", "{\"apis\": {\"orders\": {}}}");
        assertThat(call("orders", secret)).isEqualTo(200);
    }

    @Test
    void a_key_with_an_unknown_plan_is_refused_with_a_suggestion() throws Exception {
        admin.call("PUT", "/plans/gold", TWO_A_DAY);

        HttpResponse<String> refused = admin.send("POST", "/admin/v1/keys", "{\"id\": \"alice\", \"plan\": \"glod\"}");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("/plan").contains("did you mean \\\"gold\\\"?");
    }

    private String key(String key) throws Exception {
        return admin.call("POST", "/keys", key).get("secret").stringValue();
    }

    private void define(String id, String policies) throws Exception {
        gateway.define(id, policies, upstream.getAddress());
    }

    private int call(String path, String secret) throws IOException, InterruptedException {
        URI uri = gateway.uri("/" + path);
        var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + secret);
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }
}

package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Secret;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// What a gateway of version 0.1 (commit e0027d0) has left in its store, as operators and callers see it: the API
/// `orders` in its second text, the API `catalogue`, the key `alice` with 5 of 10 requests spent, the disabled key
/// `bob`, three revisions.
public final class DataOf01 {
    public static final Path FOLDER = Path.of("src/test/resources/gateway/app/data-0.1");

    private DataOf01() {}

    /// @param secretFile of `alice`, in [#FOLDER]
    public static void check(Gateway gateway, String secretFile) throws IOException, InterruptedException {
        var secret = new Secret(Files.readString(FOLDER.resolve(secretFile)).strip());
        try (var admin = admin(gateway)) {
            assertThat(admin.call("GET", "/snapshot", "").get("problems").isEmpty())
                    .isTrue();
            assertThat(name(admin)).isEqualTo("All orders");
            assertThat(admin.call("GET", "/keys/bob", "").get("enabled").booleanValue())
                    .isFalse();
            assertThat(revisions(admin)).containsExactly(3L, 2L, 1L);
            assertThat(admin.call("GET", "/keys/alice/usage", "")
                            .at("/limits/0/remaining")
                            .longValue())
                    .isEqualTo(5);

            for (int i = 0; i < 5; i++)
                assertThat(call(gateway, "/orders", secret)).isEqualTo(502);
            assertThat(call(gateway, "/orders", secret)).isEqualTo(429);

            admin.call("POST", "/revisions/1/rollback", "");

            assertThat(name(admin)).isEqualTo("Orders");
            assertThat(call(gateway, "/catalogue", secret)).isEqualTo(404);
            assertThat(call(gateway, "/orders", secret)).isEqualTo(429);
            assertThat(revisions(admin)).containsExactly(4L, 3L, 2L, 1L);
        }
    }

    public static AdminClient admin(Gateway gateway) {
        return AdminClient.of(
                URI.create("http://127.0.0.1:" + gateway.adminAddress().getPort()),
                gateway.adminToken().reveal());
    }

    private static String name(AdminClient admin) throws IOException, InterruptedException {
        return admin.call("GET", "/apis/orders", "").get("name").stringValue();
    }

    private static List<Long> revisions(AdminClient admin) throws IOException, InterruptedException {
        return admin.call("GET", "/revisions", "")
                .get("items")
                .valueStream()
                .map(each -> each.get("revision"))
                .map(JsonNode::longValue)
                .toList();
    }

    /// The status; 502 stands for a request that was let through, since nothing is where it goes.
    private static int call(Gateway gateway, String path, Secret secret) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + path);
        var request = HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + secret.reveal());
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }
}

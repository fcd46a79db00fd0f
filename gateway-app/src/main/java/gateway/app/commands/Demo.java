package gateway.app.commands;

import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/// Sets up one protected API through the admin API and shows what becomes of requests to it: all of it over real
/// sockets, as a newcomer would.
final class Demo {
    private static final String ALICE = "{\"name\": \"alice\", \"apis\": {\"orders\": {}}}";
    private static final String BOB =
            "{\"name\": \"bob\", \"apis\": {\"orders\": {}}, \"quota\": {\"requests\": 2, \"per\": \"30d\"}}";

    private final Screen screen;
    private final String data;
    private final String admin;
    private final String token;
    private final int upstreamPort;
    private final HttpClient client;
    private boolean asExpected = true;

    /// @param data address of the data plane
    /// @param admin address of the admin plane
    Demo(Screen screen, HttpClient client, String data, String admin, String token, int upstreamPort) {
        this.screen = screen;
        this.client = client;
        this.data = data;
        this.admin = admin;
        this.token = token;
        this.upstreamPort = upstreamPort;
    }

    /// Runs it all.
    ///
    /// @return whether every answer was the expected one
    boolean play() {
        String admin1 = admin + "/admin/v1";
        send(DemoCall.post("An API: who may call it, how often, and where it goes", admin1 + "/apis", definition(), 201)
                .bearing(token));
        String alice = secret(send(
                DemoCall.post("A key for alice", admin1 + "/keys", ALICE, 201).bearing(token)));
        String bob = secret(send(DemoCall.post("A key for bob, with a quota of his own", admin1 + "/keys", BOB, 201)
                .bearing(token)));
        String order = data + "/orders/42";
        send(DemoCall.get("Allowed: alice's key opens the API", order, 200).bearing(alice));
        send(DemoCall.get("Refused: no key", order, 401));
        send(DemoCall.get("Refused: a key that nobody has", order, 401).bearing("wrong"));
        send(DemoCall.get("Refused: alice is past 5 requests a minute", order, 429)
                .bearing(alice)
                .times(5)
                .saying("rate-limited"));
        send(DemoCall.get("Refused: bob has spent his quota of 2", order, 429)
                .bearing(bob)
                .times(3)
                .saying("quota-exceeded"));
        send(DemoCall.get("Refused: no API serves this path", data + "/unknown", 404));
        tell(alice);
        return asExpected;
    }

    private String definition() {
        return """
            {"id": "orders", "match": {"path": "/orders"}, "upstream": {"targets": [{"url": "http://127.0.0.1:%d"}]},
              "policies": [{"type": "key-auth"}, {"type": "rate-limit", "requests": 5, "per": "1m"},
                           {"type": "quota", "requests": 1000, "per": "30d"}]}""".formatted(upstreamPort);
    }

    private void tell(String secret) {
        for (String line : List.of(
                "",
                "data plane   " + data,
                "admin plane  " + admin,
                "admin token  " + token,
                "alice's key  " + secret)) {
            screen.say(line);
        }
    }

    private String send(DemoCall call) {
        screen.call(call);
        HttpResponse<String> response = sendOnce(call);
        for (int i = 1; i < call.times(); i++) response = sendOnce(call);
        screen.answer(response);
        if (response.statusCode() != call.status() || !response.body().contains(call.problem())) {
            asExpected = false;
            screen.wrong(call, response);
        }
        return response.body();
    }

    private HttpResponse<String> sendOnce(DemoCall call) {
        var request = HttpRequest.newBuilder(URI.create(call.url()))
                .method(call.method(), call.body().map(BodyPublishers::ofString).orElse(BodyPublishers.noBody()));
        if (!call.headers().isEmpty()) request.headers(call.headers().toArray(String[]::new));
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(call.url() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static String secret(String issued) {
        return Json.parse(issued).path("secret").asString("");
    }
}

package gateway.app.identity;

import static gateway.Eventually.until;

import gateway.app.FreePort;
import gateway.app.ProcessSignal;
import gateway.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Keycloak itself, of its makers' own distribution, on loopback with its data in memory and one realm, `corp`, where
/// `alice` has the password `wonderland`.
final class Keycloak implements AutoCloseable {
    private static final String VERSION = "26.5.6";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final String url;
    private int newest = 1_000; // priority of its newest key, above that of a realm's first ones

    private Keycloak(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /// @param folder for its log
    static Keycloak start(Path folder) {
        Path home = ForeignTools.maven("org.keycloak:keycloak-quarkus-dist:" + VERSION + ":tar.gz")
                .resolve("keycloak-" + VERSION);
        int port = FreePort.take();
        Path log = folder.resolve("keycloak.log");
        try {
            var command = new ProcessBuilder(
                    "bash",
                    home.resolve("bin/kc.sh").toString(),
                    "start-dev",
                    "--db=dev-mem",
                    "--cache=local",
                    "--http-host=127.0.0.1",
                    "--http-port=" + port);
            command.environment()
                    .putAll(Map.of(
                            "KC_BOOTSTRAP_ADMIN_USERNAME", "admin",
                            "KC_BOOTSTRAP_ADMIN_PASSWORD", "admin",
                            "JAVA_HOME", System.getProperty("java.home")));
            Process process = command.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            var keycloak = new Keycloak(process, "http://127.0.0.1:" + port);
            until(keycloak::isUp, () -> said(log));
            keycloak.makeRealm();
            return keycloak;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String said(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isUp() {
        try {
            var request = HttpRequest.newBuilder(URI.create(url + "/realms/master"));
            return client.send(request.build(), BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void makeRealm() {
        admin("POST", "", """
                {"realm": "corp", "enabled": true, "sslRequired": "none",
                 "roles": {"realm": [{"name": "orders.read"}]},
                 "users": [{"username": "alice", "enabled": true, "email": "alice@example.com", "emailVerified": true,
                            "firstName": "Alice", "lastName": "Liddell", "realmRoles": ["orders.read"],
                            "credentials": [{"type": "password", "value": "wonderland", "temporary": false}]}]}""");
    }

    String url() {
        return url;
    }

    String issuer() {
        return url + "/realms/corp";
    }

    /// A place of its protocol OpenID Connect, such as `token`.
    String openId(String place) {
        return issuer() + "/protocol/openid-connect/" + place;
    }

    /// Makes a client whose secret is `<id>-secret` and who may have tokens of its own.
    ///
    /// @param audience whom its tokens are for
    /// @param more members of its representation, each with a comma before it
    void addClient(String id, String audience, String more) {
        admin("POST", "/corp/clients", """
                {"clientId": "%1$s", "secret": "%1$s-secret", "serviceAccountsEnabled": true, "publicClient": false,
                 "directAccessGrantsEnabled": true,
                 "protocolMappers": [{"name": "to", "protocol": "openid-connect",
                     "protocolMapper": "oidc-audience-mapper",
                     "config": {"included.custom.audience": "%2$s", "access.token.claim": "true",
                                "introspection.token.claim": "true"}}]%3$s}""".formatted(id, audience, more));
    }

    /// Makes one that is told who somebody is by signed assertions, without asking.
    ///
    /// @param name in the place that people open for that: `/protocol/saml/clients/<name>` of the realm
    /// @param consumer where assertions are shown
    void addSamlClient(String id, String name, String consumer) {
        admin("POST", "/corp/clients", """
                {"clientId": "%1$s", "protocol": "saml", "redirectUris": ["%3$s"], "frontchannelLogout": true,
                 "attributes": {"saml_idp_initiated_sso_url_name": "%2$s", "saml.assertion.signature": "true",
                                "saml_assertion_consumer_url_post": "%3$s", "saml.client.signature": "false",
                                "saml.force.post.binding": "true", "saml.authnstatement": "true",
                                "saml.signature.algorithm": "RSA_SHA256"}}""".formatted(id, name, consumer));
    }

    /// A token of a client's own.
    String token(String id) {
        return ask("token", id, Map.of("grant_type", "client_credentials"))
                .get("access_token")
                .stringValue();
    }

    /// A token of alice, got by a client that she trusts with her password.
    String tokenOfAlice(String id) {
        return ask(
                        "token",
                        id,
                        Map.of(
                                "grant_type", "password",
                                "username", "alice",
                                "password", "wonderland",
                                "scope", "openid"))
                .get("access_token")
                .stringValue();
    }

    void revoke(String id, String token) {
        ask("revoke", id, Map.of("token", token));
    }

    private JsonNode ask(String place, String id, Map<String, String> form) {
        var all = form.entrySet().stream().map(each -> field(each.getKey(), each.getValue()));
        String body = all.collect(Collectors.joining("&"))
                + '&'
                + field("client_id", id)
                + '&'
                + field("client_secret", id + "-secret");
        return call("POST", openId(place), "application/x-www-form-urlencoded", "", body);
    }

    private static String field(String name, String value) {
        return name + '=' + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /// Signs with a new key from now on, and goes on to tell the old ones.
    void rotate() {
        newest++;
        admin("POST", "/corp/components", """
                {"name": "rotated-%1$d", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider",
                 "config": {"priority": ["%1$d"], "keySize": ["2048"], "algorithm": ["RS256"]}}""".formatted(newest));
    }

    /// Tells no key for signatures any more but that of the last rotation.
    void forgetOldKeys() {
        for (JsonNode each : admin("GET", "/corp/components?type=org.keycloak.keys.KeyProvider", "")) {
            boolean isOld = each.get("providerId").stringValue().equals("rsa-generated")
                    && !each.get("name").stringValue().equals("rotated-" + newest);
            if (isOld) admin("DELETE", "/corp/components/" + each.get("id").stringValue(), "");
        }
    }

    /// Ends all sessions of alice, and tells the clients that want to know.
    void endSessionsOfAlice() {
        String id =
                admin("GET", "/corp/users?username=alice", "").get(0).get("id").stringValue();
        admin("POST", "/corp/users/" + id + "/logout", "");
    }

    /// A call of its administration.
    ///
    /// @param path below `/admin/realms`
    private JsonNode admin(String method, String path, String body) {
        String form = "grant_type=password&client_id=admin-cli&username=admin&password=admin";
        String place = url + "/realms/master/protocol/openid-connect/token";
        String token = call("POST", place, "application/x-www-form-urlencoded", "", form)
                .get("access_token")
                .stringValue();
        return call(method, url + "/admin/realms" + path, "application/json", token, body);
    }

    private JsonNode call(String method, String place, String contentType, String token, String body) {
        var content = body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        var request = HttpRequest.newBuilder(URI.create(place))
                .header("Content-Type", contentType)
                .method(method, content);
        if (!token.isEmpty()) request.header("Authorization", "Bearer " + token);
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() >= 300) throw new IllegalStateException(place + ": " + answer.body());
            return Json.parse(answer.body().isEmpty() ? "{}" : answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// It keeps its connections and says nothing more, or goes on.
    void freeze(boolean frozen) {
        ProcessSignal.send(frozen ? "STOP" : "CONT", java());
    }

    /// Its script runs Java in its own place, or as a child.
    private long java() {
        return process.children().findFirst().map(ProcessHandle::pid).orElse(process.pid());
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        client.close();
    }
}

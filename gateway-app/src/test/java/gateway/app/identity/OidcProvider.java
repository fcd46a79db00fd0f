package gateway.app.identity;

import gateway.app.FreePort;
import gateway.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The certified OpenID provider of npm, `oidc-provider`, with one client that gets tokens by its credentials.
final class OidcProvider implements AutoCloseable {
    private static final String CLIENT =
            Base64.getEncoder().encodeToString("caller:caller-secret".getBytes(StandardCharsets.UTF_8));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process process;
    private final BufferedReader said;
    private final String issuer;

    private OidcProvider(Process process, String issuer) {
        this.process = process;
        this.said = process.inputReader(StandardCharsets.UTF_8);
        this.issuer = issuer;
    }

    static OidcProvider start() {
        return start(List.of(), Map.of());
    }

    /// One where people log in to a gateway, by the client `shop`.
    ///
    /// @param gateway its origin
    /// @param life of access tokens, in seconds
    static OidcProvider loggingIn(String gateway, int life) {
        return start(List.of(gateway, String.valueOf(life)), Map.of());
    }

    /// One where people log in to a gateway too, which proves itself as `client` says.
    ///
    /// @param client in the words of its registration
    static OidcProvider knowing(String client, String gateway) {
        return start(List.of(gateway, "60"), Map.of("CLIENT", client));
    }

    /// The same by TLS.
    ///
    /// @param folder with `server.pem` of `localhost` and the `authority.pem` of its clients
    static OidcProvider knowing(String client, String gateway, Path folder) {
        return start(List.of(gateway, "60"), Map.of("CLIENT", client, "TLS", folder.toString()));
    }

    private static OidcProvider start(List<String> more, Map<String, String> environment) {
        Path folder = ForeignTools.npm("oidc-provider@9.13.3");
        Path program = ForeignTools.program("provider.mjs", folder);
        int port = FreePort.take();
        try {
            var command = new ArrayList<>(List.of("node", program.toString(), String.valueOf(port)));
            command.addAll(more);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectError(folder.resolve("provider.log").toFile());
            builder.environment().putAll(environment);
            String origin = environment.containsKey("TLS") ? "https://localhost:" : "http://127.0.0.1:";
            var provider = new OidcProvider(builder.start(), origin + port);
            provider.await("up");
            return provider;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void await(String line) throws IOException {
        for (String each = said.readLine(); each != null; each = said.readLine()) {
            if (each.equals(line)) return;
        }
        throw new IllegalStateException("the provider has ended");
    }

    String issuer() {
        return issuer;
    }

    /// It signs with new keys from now on, and tells no old ones.
    ///
    /// @param round 2 for the first time
    void rotate(int round) {
        try {
            process.outputWriter().write("\n");
            process.outputWriter().flush();
            await("round " + round);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// An access token that is signed by `algorithm`, or `opaque`.
    String token(String algorithm) {
        String answer = post(
                "/token",
                Map.of(
                        "grant_type", "client_credentials",
                        "resource", "urn:orders:" + algorithm,
                        "scope", "orders.read"));
        return Json.parse(answer).get("access_token").stringValue();
    }

    void revoke(String token) {
        post("/token/revocation", Map.of("token", token));
    }

    private String post(String path, Map<String, String> form) {
        String body = form.entrySet().stream()
                .map(each -> each.getKey() + '=' + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        var request = HttpRequest.newBuilder(URI.create(issuer + path))
                .header("Authorization", "Basic " + CLIENT)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        try {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
            return answer.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
        process.destroyForcibly();
    }
}

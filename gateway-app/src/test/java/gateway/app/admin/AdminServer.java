package gateway.app.admin;

import gateway.app.log.LogLevels;
import gateway.app.proxy.SupposedFields;
import gateway.app.secrets.DefinitionSecrets;
import gateway.app.secrets.ProcessSecrets;
import gateway.app.secrets.SealingKeys;
import gateway.app.secrets.SecretDocuments;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.http.Response;
import gateway.http.Secret;
import gateway.json.ConfigNode;
import gateway.json.Json;
import gateway.key.ApiKeyJson;
import gateway.net.IpRanges;
import gateway.policy.FakeServices;
import gateway.service.DefinitionChange;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.FakeAuditLog;
import gateway.service.FakeDefinitionStore;
import gateway.snapshot.LiveSnapshot;
import gateway.snapshot.SnapshotCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// A running admin plane over fakes, and a client of it that checks each answer against the OpenAPI document.
final class AdminServer implements AutoCloseable {
    static final String TOKEN = "test-token-of-thirty-two-characters";

    /// Of a token that has no right which any operation needs by itself.
    static final String LESSER_TOKEN = "lesser-token-of-thirty-two-characters";

    private static final DefinitionSchemas SCHEMAS = new DefinitionSchemas(new DefinitionReader(PolicyRegistry.load()));
    private static final Map<String, Promises> PROMISES = new ConcurrentHashMap<>(); // by version: made once for all

    final FakeServices services = new FakeServices();
    final FakeDefinitionStore store = new FakeDefinitionStore(services.contents());
    final FakeAuditLog audit = new FakeAuditLog();
    final LiveSnapshot live = new LiveSnapshot();
    final HealthPages health = new HealthPages(live, "test", services.clock());
    final AuditTrail trail;
    private static final byte[] PREVIOUS_KEY = new byte[SealingKeys.BYTES];
    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final SecretDocuments secretDocuments = new SecretDocuments(SealingKeys.of(List.of(KEY, PREVIOUS_KEY)));
    final Definitions definitions;
    final AdminApi api;
    private final Promises promises;
    private final AdminListener listener;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    AdminServer() {
        this(AdminTokens.of(
                new Secret(TOKEN),
                List.of(AdminToken.ofDigest(
                        AdminToken.digest(LESSER_TOKEN), new AdminCaller("lesser", Set.of(AdminRight.SCRIPTS))))));
    }

    AdminServer(AdminTokens tokens) {
        var reader = new DefinitionReader(PolicyRegistry.load());
        var compiler = new SnapshotCompiler(reader, services, upstream -> (exchange, waiter) -> Response.of(200));
        services.secrets().openStoredBy(new ProcessSecrets(secretDocuments, Map.of(), Optional.empty()));
        trail = new AuditTrail(audit);
        definitions = new Definitions(
                store,
                compiler::compileLeniently,
                live,
                new Users(services.keys(), reader),
                trail,
                services.purges(),
                services.clock());
        definitions.start();
        api = new AdminApi(
                tokens,
                definitions,
                store,
                new DefinitionSecrets(secretDocuments, reader),
                services,
                trail,
                live,
                health,
                () -> "gateway_revision 0\n",
                LogLevels.ofThisProcess(),
                new RuntimeJson("test", "node-1", "memory", 2, 256, 10_000, "io"),
                new SupposedFields(IpRanges.NONE),
                SCHEMAS);
        promises = PROMISES.computeIfAbsent(
                "test", version -> Promises.of(OpenApi.document(api.routes(), version, SCHEMAS)));
        listener = AdminListener.start("127.0.0.1", 0, api.handler(AdminHosts.USUAL));
    }

    static String definition(String id, String path) {
        return """
            {"id": "%s", "name": "The %s", "match": {"path": "%s"},
             "upstream": {"targets": [{"url": "http://127.0.0.1:9"}]}}""".formatted(id, id, path);
    }

    /// Stores a secret that another than the current key has sealed.
    void sealWithThePreviousKey(String id) {
        var document = new DocumentId(DocumentKind.SECRETS, id);
        String sealed = new SecretDocuments(SealingKeys.of(List.of(PREVIOUS_KEY)))
                .sealed(id, Json.parse("{\"value\": \"hush\"}"), Optional.empty());
        definitions.write(
                "test", "seal", base -> List.of(new DefinitionChange(document, Optional.empty(), Optional.of(sealed))));
    }

    /// Stores a document with secrets that another than the current key has sealed.
    void writeSealedWithThePreviousKey(DocumentId document, String written) {
        var reader = new DefinitionReader(PolicyRegistry.load());
        String sealed = new DefinitionSecrets(new SecretDocuments(SealingKeys.of(List.of(PREVIOUS_KEY))), reader)
                .kept(document, Json.parse(written), Optional.empty());
        definitions.write(
                "test", "seal", base -> List.of(new DefinitionChange(document, Optional.empty(), Optional.of(sealed))));
    }

    /// Stores a key with a secret that another than the current key has sealed.
    void sealKeyWithThePreviousKey(String id, String secret) {
        JsonNode written = Json.parse("""
                {"id": "%s", "credentials": [{"algorithm": "hmac-sha256", "secret": "%s"}]}""".formatted(id, secret));
        JsonNode kept = new SecretDocuments(SealingKeys.of(List.of(PREVIOUS_KEY)))
                .credentials()
                .sealed(id, written, Optional.empty())
                .json();
        services.keys().issue(ApiKeyJson.read(ConfigNode.of(kept)));
    }

    /// The secret of a key's only credential, as a policy gets it.
    String credential(String id) {
        String sealed = services.keys()
                .find(id)
                .orElseThrow()
                .key()
                .credentials()
                .getFirst()
                .sealed()
                .orElseThrow();
        return new ProcessSecrets(secretDocuments, Map.of(), Optional.empty())
                .ofKey(id, sealed)
                .reveal();
    }

    /// A connection of its own, for what no client library sends.
    Socket connect() throws IOException {
        return new Socket(listener.address().getAddress(), listener.address().getPort());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + listener.address().getPort() + path))
                .header("Authorization", "Bearer " + TOKEN);
    }

    HttpResponse<String> get(String path) {
        return send(request("/admin/v1" + path).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return write("POST", path, body);
    }

    HttpResponse<String> put(String path, String body) {
        return write("PUT", path, body);
    }

    HttpResponse<String> write(String method, String path, String body, String... headers) {
        var request = request("/admin/v1" + path).method(method, BodyPublishers.ofString(body));
        if (!body.isEmpty()) request.header("Content-Type", "application/json");
        if (headers.length > 0) request.headers(headers);
        return send(request);
    }

    HttpResponse<String> delete(String path) {
        return write("DELETE", path, "");
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            HttpRequest sent = request.build();
            HttpResponse<String> answer = client.send(sent, BodyHandlers.ofString());
            String path = sent.uri().getRawPath();
            if (path.startsWith(AdminRouter.BASE + "/")) {
                promises.check(
                        sent.method(),
                        path.substring(AdminRouter.BASE.length()),
                        answer.statusCode(),
                        answer.headers().map().keySet().stream()
                                .map(name -> name.toLowerCase(Locale.ROOT))
                                .collect(Collectors.toSet()));
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode json(HttpResponse<String> response) {
        return Json.parse(response.body());
    }

    /// From now on nothing that is shared by nodes answers.
    void loseStore() {
        store.goAway();
        services.keys().goAway();
        services.limits().goAway();
        audit.goAway();
    }

    @Override
    public void close() {
        client.close();
        listener.close();
    }
}

package gateway.app.admin;

import gateway.app.secrets.KeyCredentials;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.json.Suggestion;
import gateway.key.ApiKey;
import gateway.key.ApiKeyJson;
import gateway.key.IssuedKey;
import gateway.key.KeyMint;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import gateway.service.ConflictException;
import gateway.service.DefinitionSet;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// API keys: `/keys`, `/keys/{id}` and its secret.
final class KeysResource {
    private static final long MOST_AT_ONCE = 1000;
    private static final Duration MOST_OVERLAP = Duration.ofDays(30);
    private final KeyStore keys;
    private final Definitions definitions;
    private final KeyCredentials credentials;
    private final KeyMint mint;

    KeysResource(KeyStore keys, Definitions definitions, KeyCredentials credentials, InstantSource clock) {
        this.keys = keys;
        this.definitions = definitions;
        this.credentials = credentials;
        this.mint = new KeyMint(clock, new SecureRandom());
    }

    List<AdminRoute> routes() {
        return List.of(
                AdminRoute.of("GET", "/keys", "listKeys", "API keys in order of id, without their secrets", this::list)
                        .needing(AdminRight.READ, AdminRight.KEYS)
                        .knowing(QueryParameter.LIMIT, QueryParameter.CURSOR, QueryParameter.NAME)
                        .answering(200, "a page of keys", "KeyPage")
                        .askingStore(),
                AdminRoute.of(
                                "POST",
                                "/keys",
                                "createKey",
                                "Creates a key; its secret is answered this once",
                                this::create)
                        .needing(AdminRight.KEYS)
                        .taking("Key")
                        .answering(201, "created, with its secret", "IssuedKey")
                        .answering(409, "its id is taken")
                        .askingStore(),
                AdminRoute.of("GET", "/keys/{id}", "getKey", "One key without its secret", this::get)
                        .needing(AdminRight.READ, AdminRight.KEYS)
                        .answering(200, "the key", "Key")
                        .askingStore()
                        .tagged(),
                AdminRoute.of("PUT", "/keys/{id}", "putKey", "Replaces a key, which keeps its secret", this::put)
                        .needing(AdminRight.KEYS)
                        .taking("Key")
                        .heedingTags()
                        .answering(200, "replaced", "WrittenKey")
                        .askingStore(),
                AdminRoute.of("DELETE", "/keys/{id}", "deleteKey", "Deletes a key", this::delete)
                        .needing(AdminRight.KEYS)
                        .heedingTags()
                        .answering(204, "deleted; it opens nothing from now on")
                        .askingStore(),
                AdminRoute.of(
                                "POST",
                                "/keys/{id}/rotate",
                                "rotateKey",
                                "Gives a key a new secret; the old one opens nothing from now on, or when `overlap` is over",
                                this::rotate)
                        .needing(AdminRight.KEYS)
                        .mayTake("Rotation")
                        .heedingTags()
                        .answering(200, "rotated, with the new secret", "IssuedKey")
                        .askingStore());
    }

    private Response list(AdminCall call) {
        int limit = (int) call.number("limit", 1, MOST_AT_ONCE, 100);
        KeyPage page =
                keys.list(call.query().getOrDefault("name", ""), call.query().getOrDefault("cursor", ""), limit);
        return Answers.page(page.keys(), stored -> KeyCredentials.shown(stored.key()), page.next());
    }

    private Response get(AdminCall call) {
        StoredKey found = found(keys, call.place("id"));
        return stored(found, KeyCredentials.shown(found.key()));
    }

    private Response create(AdminCall call) {
        IssuedKey issued = keys.issue(read(named(call.json()), Optional.empty()));
        String id = issued.stored().key().id();
        definitions.audited(call.author(), "POST keys (" + id + ")");
        return issued(201, issued, shown(call, issued.stored())).with("Location", AdminRouter.BASE + "/keys/" + id);
    }

    private Response put(AdminCall call) {
        String id = call.place("id");
        JsonNode json = DocumentsResource.withId(call.json(), id);
        Optional<StoredKey> now = keys.find(id);
        ApiKey key = read(json, now.map(StoredKey::key));
        StoredKey before = now.orElseThrow(() -> unknown(id));
        StoredKey after =
                asExpected(() -> keys.replace(key, expected(call, before))).orElseThrow(() -> unknown(id));
        definitions.audited(call.author(), call.inWords());
        return stored(after, shown(call, after));
    }

    private Response delete(AdminCall call) {
        String id = call.place("id");
        StoredKey before = found(keys, id);
        if (!asExpected(() -> keys.delete(id, expected(call, before)))) throw unknown(id);
        definitions.audited(call.author(), call.inWords());
        return Response.of(204);
    }

    private Response rotate(AdminCall call) {
        String id = call.place("id");
        Duration overlap = overlap(call);
        expected(call, found(keys, id));
        IssuedKey issued = keys.rotate(id, overlap).orElseThrow(() -> unknown(id));
        definitions.audited(call.author(), call.inWords());
        return issued(200, issued, KeyCredentials.shown(issued.stored().key()));
    }

    private static Duration overlap(AdminCall call) {
        if (call.content().length == 0) return Duration.ZERO;
        ConfigNode node = ConfigNode.of(DocumentsResource.object(call.json()));
        Duration overlap = overlap(node);
        node.throwIfInvalid();
        return overlap;
    }

    /// What a rotation may say.
    static Duration overlap(ConfigNode node) {
        Duration overlap = node.field("overlap", "how long the secret before opens the key too")
                .unlessGiven("not at all")
                .duration(Duration.ZERO, MOST_OVERLAP, Duration.ZERO);
        node.refuseUnknownFields();
        return overlap;
    }

    /// What the store writes only if nobody else wrote since we looked: a race that is lost is a
    /// precondition that fails.
    private static <T> T asExpected(Supplier<T> write) {
        try {
            return write.get();
        } catch (ConflictException e) {
            throw AdminProblem.preconditionFailed(String.valueOf(e.getMessage()));
        }
    }

    static StoredKey found(KeyStore keys, String id) {
        return keys.find(id).orElseThrow(() -> unknown(id));
    }

    /// The version that the store shall insist on: none unless the request named what it expects.
    private static Optional<String> expected(AdminCall call, StoredKey before) {
        Precondition precondition = call.precondition();
        precondition.check("key \"" + before.key().id() + "\"", Optional.of(EntityTag.ofVersion(before.version())));
        return precondition.ifMatch().map(tags -> before.version());
    }

    /// The key in `json`, every problem reported; an API it opens need not exist yet, its plan must.
    ///
    /// @param before the key as it stands
    private ApiKey read(JsonNode json, Optional<ApiKey> before) {
        KeyCredentials.Written written = credentials.sealed(json.path("id").asString(""), json, before);
        ConfigNode node = ConfigNode.of(written.json());
        ApiKey key = ApiKeyJson.read(node);
        key.plan().ifPresent(plan -> {
            DefinitionSet current = definitions.current();
            if (current.text(new DocumentId(DocumentKind.PLANS, plan)).isPresent()) return;
            String near = Suggestion.nearest(plan, current.ids(DocumentKind.PLANS))
                    .map(other -> "; did you mean \"" + other + "\"?")
                    .orElse("");
            node.field("plan").problem("unknown plan \"" + plan + "\"" + near);
        });
        if (!written.problems().isEmpty()) {
            var all = new ArrayList<>(written.problems());
            all.addAll(node.problems());
            throw new InvalidConfigException(all);
        }
        node.throwIfInvalid();
        return key;
    }

    /// With the id that it is given, where secrets are to be sealed for it.
    private JsonNode named(JsonNode json) {
        if (!json.path("id").asString("").isEmpty()
                || !KeyCredentials.hasAny(json)
                || !(json.deepCopy() instanceof ObjectNode named)) return json;
        return named.put("id", mint.id());
    }

    /// A key that was written, with a warning of each API that it opens and there is not.
    private ObjectNode shown(AdminCall call, StoredKey written) {
        ObjectNode json = KeyCredentials.shown(written.key());
        UnknownGrants unknown = UnknownGrants.of(json, definitions.current());
        unknown.log(call, "keys/" + written.key().id());
        unknown.addTo(json);
        return json;
    }

    private static Response stored(StoredKey stored, ObjectNode json) {
        return Answers.ok(json).with("ETag", EntityTag.ofVersion(stored.version()));
    }

    private static Response issued(int status, IssuedKey issued, ObjectNode json) {
        json.put("secret", issued.secret().reveal());
        return Answers.json(status, json)
                .with("ETag", EntityTag.ofVersion(issued.stored().version()));
    }

    private static AdminProblem unknown(String id) {
        return AdminProblem.notFound("there is no key \"" + id + "\"");
    }
}

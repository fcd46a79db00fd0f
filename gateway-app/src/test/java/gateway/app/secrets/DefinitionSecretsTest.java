package gateway.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.app.log.CapturedLog;
import gateway.config.DefinitionReader;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.SecretUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

final class DefinitionSecretsTest {
    private static final DocumentId ORDERS = DocumentId.api("orders");
    private static final DocumentId GOLD = new DocumentId(DocumentKind.POLICY_SETS, "gold");
    private static final String PLACE = "/policies/0/bearer/token";
    private static final DefinitionReader READER = new DefinitionReader(PolicyRegistry.load());

    private final DefinitionSecrets secrets = with(key(1));

    @Property(tries = 100)
    void what_is_shown_comes_back_as_what_is_kept_and_opens_as_what_was_written(
            @ForAll @Size(min = 1, max = 5) List<@StringLength(min = 1, max = 80) String> texts) {
        List<String> written = texts.stream().map(DefinitionSecretsTest::sound).toList();
        JsonNode api = api(written);

        String kept = secrets.kept(ORDERS, api, Optional.empty());
        JsonNode shown = secrets.shown(ORDERS, kept);

        assertThat(secrets.kept(ORDERS, shown, Optional.of(kept))).isEqualTo(kept);
        for (int i = 0; i < written.size(); i++) {
            assertThat(opened(secrets, ORDERS, kept, "/policies/" + i + "/bearer/token"))
                    .isEqualTo(written.get(i));
            assertThat(shown.at("/policies/" + i + "/bearer/token").toString())
                    .matches("\\{\"masked\":\"[0-9a-f]{8}\"}");
        }
    }

    @Property(tries = 100)
    void neither_what_is_kept_nor_what_is_shown_has_any_of_a_text(@ForAll @StringLength(max = 40) String tail) {
        String text = "hush-4f9c1e" + sound(tail);

        String kept = secrets.kept(ORDERS, api(List.of(text)), Optional.empty());

        assertThat(kept).doesNotContain("hush-4f9c1e");
        assertThat(secrets.shown(ORDERS, kept).toString())
                .doesNotContain("hush")
                .doesNotContain("v1.");
    }

    @Test
    void a_mask_is_keyed_and_the_same_text_has_another_in_another_document_and_under_another_key() {
        JsonNode api = api(List.of("1234"));

        String mask = mask(secrets, ORDERS, api);

        assertThat(mask(secrets, ORDERS, api)).isEqualTo(mask);
        assertThat(mask(secrets, DocumentId.api("other"), api)).isNotEqualTo(mask);
        assertThat(mask(with(key(2)), ORDERS, api)).isNotEqualTo(mask);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"masked\": \"00000000\"}",
                "{\"masked\": \"\"}",
                "{\"masked\": 7}",
                "{\"masked\": \"MASK\", \"more\": 1}",
                "{\"sealed\": \"ENVELOPE\"}",
                "{\"sealed\": \"v1.00000000.AAAA\"}",
            })
    void nothing_else_than_its_mask_stands_for_what_is_kept(String text) {
        String kept = secrets.kept(ORDERS, api(List.of("hush")), Optional.empty());
        String envelope = Json.parse(kept).at(PLACE).path("sealed").stringValue();
        String other = text.replace("MASK", SecretDocuments.mask(envelope)).replace("ENVELOPE", envelope);

        String refused = secrets.kept(ORDERS, api(Json.parse(other)), Optional.of(kept));

        assertThat(problems(refused)).singleElement().satisfies(problem -> {
            assertThat(problem.pointer()).isEqualTo(PLACE);
            assertThat(problem.message()).doesNotContain(envelope);
        });
    }

    @Test
    void a_mask_stands_for_nothing_behind_another_pointer_or_where_nothing_was_kept() {
        String kept = secrets.kept(ORDERS, api(List.of("one", "two")), Optional.empty());
        ObjectNode shown = (ObjectNode) secrets.shown(ORDERS, kept);
        ArrayNode policies = (ArrayNode) shown.get("policies");
        JsonNode first = policies.get(0);
        policies.set(0, policies.get(1));
        policies.set(1, first);

        assertThat(problems(secrets.kept(ORDERS, shown, Optional.of(kept))))
                .extracting(ConfigProblem::pointer)
                .containsExactly(PLACE, "/policies/1/bearer/token");
        assertThat(problems(secrets.kept(ORDERS, shown, Optional.empty()))).hasSize(2);
    }

    @Test
    void an_envelope_opens_anywhere_in_its_document_and_in_no_other() {
        String kept = secrets.kept(ORDERS, api(List.of("hush")), Optional.empty());
        String envelope = Json.parse(kept).at(PLACE).path("sealed").stringValue();

        assertThat(opened(secrets, ORDERS, kept, PLACE)).isEqualTo("hush");
        assertThatThrownBy(() -> secrets.documents().keys().open("apis/other", envelope))
                .isInstanceOf(SecretUnavailableException.class);
        assertThatThrownBy(() -> secrets.documents().keys().open("secrets/orders", envelope))
                .isInstanceOf(SecretUnavailableException.class);
    }

    @Test
    void sets_and_global_policies_hold_secrets_too() {
        String policies = "[{\"type\": \"upstream-auth\", \"basic\": {\"user\": \"a\", \"password\": \"hush\"}}]";
        JsonNode set = Json.parse("{\"id\": \"gold\", \"policies\": " + policies + "}");
        JsonNode global = Json.parse("{\"id\": \"global\", \"before\": " + policies + "}");

        String keptSet = secrets.kept(GOLD, set, Optional.empty());
        String keptGlobal = secrets.kept(DocumentId.GLOBAL, global, Optional.empty());

        assertThat(opened(secrets, GOLD, keptSet, "/policies/0/basic/password")).isEqualTo("hush");
        assertThat(opened(secrets, DocumentId.GLOBAL, keptGlobal, "/before/0/basic/password"))
                .isEqualTo("hush");
    }

    @Test
    void operations_versions_and_nested_policies_hold_secrets_too() {
        JsonNode api = Json.parse("""
                {"id": "orders", "match": {"path": "/"}, "upstream": {"targets": [{"url": "http://h"}]},
                 "policies": [{"type": "any-of", "policies": [{"type": "jwt", "issuers": [{"issuer": "https://i", "secret": "one"}]}]}],
                 "operations": [{"id": "o", "match": {"path": "/o"}, "policies": [{"type": "upstream-auth", "bearer": {"token": "two"}}]}],
                 "versions": {"in": "path", "list": [{"name": "v1", "policies": [{"type": "upstream-auth", "bearer": {"token": "three"}}]}]}}""");

        assertThat(READER.secrets(DocumentKind.APIS, api))
                .containsExactlyInAnyOrder(
                        "/policies/0/policies/0/issuers/0/secret",
                        "/operations/0/policies/0/bearer/token",
                        "/versions/list/0/policies/0/bearer/token");
    }

    @Test
    void without_a_key_the_setting_is_named_where_the_secret_stands() {
        String refused = with().kept(ORDERS, api(List.of("hush-hush")), Optional.empty());

        assertThat(refused).doesNotContain("hush-hush");
        assertThat(problems(refused))
                .containsExactly(new ConfigProblem(PLACE, "there is no key to seal it with; set GATEWAY_SECRETS_KEY"));
    }

    @Test
    void what_looks_sealed_where_no_secret_is_wanted_is_refused() {
        String envelope = secrets.documents().keys().seal("apis/orders", "hush");
        JsonNode api = Json.parse("""
                {"id": "orders", "policies": [{"type": "mock-response", "json": {"a/b": [{"sealed": "%s"}]}}]}""".formatted(envelope));

        assertThatThrownBy(() -> secrets.kept(ORDERS, api, Optional.empty()))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/json/a~1b/0");
    }

    @Test
    void a_mask_where_no_secret_is_wanted_is_what_it_is() {
        JsonNode api = Json.parse(
                "{\"id\": \"orders\", \"policies\": [{\"type\": \"mock-response\", \"json\": {\"masked\": \"1f8a03c2\"}}]}");

        assertThat(Json.parse(secrets.kept(ORDERS, api, Optional.empty()))).isEqualTo(api);
    }

    @Test
    void a_rehearsal_does_not_tell_whether_a_text_is_the_one_that_is_kept() {
        JsonNode api = api(List.of("1234"));
        String kept = secrets.kept(ORDERS, api, Optional.empty());

        String rehearsed = secrets.rehearsed(ORDERS, api, Optional.of(kept));

        assertThat(rehearsed).isNotEqualTo(kept);
        assertThat(opened(secrets, ORDERS, rehearsed, PLACE)).isEqualTo("1234");
        assertThat(secrets.rehearsed(ORDERS, secrets.shown(ORDERS, kept), Optional.of(kept)))
                .isEqualTo(kept);
    }

    @Test
    void a_file_in_the_clear_is_kept_sealed_always_the_same_and_told_once() {
        String file = Json.pretty(api(List.of("hush-hush")));
        try (var log = new CapturedLog()) {
            String kept = secrets.found(ORDERS, file);

            assertThat(kept).doesNotContain("hush-hush").isEqualTo(secrets.found(ORDERS, file));
            assertThat(secrets.found(ORDERS, kept)).isEqualTo(kept);
            assertThat(log.text().lines().filter(line -> line.contains("WARN  DefinitionSecrets")))
                    .singleElement()
                    .asString()
                    .contains("apis/orders");
            assertThat(log.text()).doesNotContain("hush-hush");
        }
    }

    @Test
    void a_file_keeps_what_is_sealed_beside_what_is_not_and_a_mask_in_it_is_a_problem() {
        String kept = secrets.kept(ORDERS, api(List.of("one", "two")), Optional.empty());
        ObjectNode edited = (ObjectNode) Json.parse(kept);
        ((ObjectNode) edited.at("/policies/1/bearer")).put("token", "three");

        String found = secrets.found(ORDERS, Json.pretty(edited));

        assertThat(opened(secrets, ORDERS, found, PLACE)).isEqualTo("one");
        assertThat(opened(secrets, ORDERS, found, "/policies/1/bearer/token")).isEqualTo("three");
        String masked = Json.pretty(secrets.shown(ORDERS, kept));
        assertThat(problems(secrets.found(ORDERS, masked))).hasSize(2);
    }

    @Test
    void a_file_without_secrets_is_kept_as_it_stands() {
        assertThat(secrets.found(ORDERS, "{ \"id\": \"orders\" }")).isEqualTo("{ \"id\": \"orders\" }");
    }

    @Test
    void a_new_key_seals_anew_what_the_old_one_has_sealed_and_says_what_it_cannot_open() {
        String kept = secrets.kept(ORDERS, api(List.of("one", "two")), Optional.empty());
        DefinitionSecrets rotating = with(key(2), key(1));

        DefinitionSecrets.Resealed resealed = rotating.resealed(ORDERS, kept);

        assertThat(resealed.secrets()).isEqualTo(2);
        assertThat(resealed.anew()).isEqualTo(2);
        assertThat(opened(with(key(2)), ORDERS, resealed.text(), PLACE)).isEqualTo("one");
        assertThat(rotating.resealed(ORDERS, resealed.text()).anew()).isZero();
        DefinitionSecrets.Resealed none = with(key(2)).resealed(ORDERS, kept);
        assertThat(none.text()).isEqualTo(kept);
        assertThat(none.problems())
                .extracting(ConfigProblem::pointer)
                .containsExactly("/apis/orders" + PLACE, "/apis/orders/policies/1/bearer/token");
    }

    @Test
    void what_asks_for_files_or_variables_is_told_from_the_rest() {
        assertThat(secrets.asksProcess(ORDERS, api(Json.parse("{\"file\": \"a\"}"))))
                .isTrue();
        assertThat(secrets.asksProcess(ORDERS, api(Json.parse("{\"env\": \"GATEWAY_SECRET_A\"}"))))
                .isTrue();
        assertThat(secrets.asksProcess(ORDERS, api(Json.parse("{\"secret\": \"a\"}"))))
                .isFalse();
        assertThat(secrets.asksProcess(ORDERS, api(List.of("a")))).isFalse();
    }

    private static DefinitionSecrets with(byte[]... keys) {
        return new DefinitionSecrets(new SecretDocuments(SealingKeys.of(List.of(keys))), READER);
    }

    private static byte[] key(int first) {
        var key = new byte[SealingKeys.BYTES];
        key[0] = (byte) first;
        return key;
    }

    /// Without halves of characters, which no encoding keeps.
    private static String sound(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    private static JsonNode api(JsonNode token) {
        return Json.mapper().valueToTree(Map.of("id", "orders", "policies", List.of(policy(token))));
    }

    private static JsonNode api(List<String> tokens) {
        return Json.mapper()
                .valueToTree(Map.of(
                        "id",
                        "orders",
                        "policies",
                        tokens.stream().map(DefinitionSecretsTest::policy).toList()));
    }

    private static Map<String, Object> policy(Object token) {
        return Map.of("type", "upstream-auth", "bearer", Map.of("token", token));
    }

    private static String opened(DefinitionSecrets by, DocumentId id, String kept, String pointer) {
        String envelope = Json.parse(kept).at(pointer).path("sealed").stringValue();
        return by.documents().keys().open(id.toString(), envelope);
    }

    private static String mask(DefinitionSecrets by, DocumentId id, JsonNode written) {
        return by.shown(id, by.kept(id, written, Optional.empty()))
                .at(PLACE + "/masked")
                .stringValue();
    }

    /// What a reader says of the secrets of an API.
    private static List<ConfigProblem> problems(String kept) {
        var node = gateway.json.ConfigNode.parse(kept);
        READER.read(node);
        return node.problems().stream()
                .filter(problem -> problem.pointer().contains("bearer"))
                .toList();
    }
}

package gateway.app.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SecretDocumentsTest {
    private static final DocumentId TOKEN = new DocumentId(DocumentKind.SECRETS, "token");

    private final SecretDocuments documents = new SecretDocuments(SealingKeys.of(List.of(new byte[SealingKeys.BYTES])));

    @Test
    void keeps_what_was_written_sealed_and_shows_a_mask() {
        String kept = sealed("{\"id\": \"token\", \"value\": \"hush\"}");

        assertThat(kept).doesNotContain("hush");
        assertThat(documents.open("token", kept).reveal()).isEqualTo("hush");
        assertThat(documents.shown("token", kept).toString())
                .matches("\\{\"id\":\"token\",\"value\":\\{\"masked\":\"[0-9a-f]{8}\"}}");
    }

    @Test
    void a_mask_that_comes_back_keeps_the_value() {
        String kept = sealed("{\"value\": \"hush\"}");

        String again = documents.sealed("token", documents.shown("token", kept), Optional.of(kept));

        assertThat(again).isEqualTo(kept);
    }

    @Test
    void another_mask_is_refused() {
        String kept = sealed("{\"value\": \"hush\"}");
        var other = Json.parse("{\"value\": {\"masked\": \"00000000\"}}");

        assertThatThrownBy(() -> documents.sealed("token", other, Optional.of(kept)))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/value");
        assertThatThrownBy(() -> documents.sealed("token", other, Optional.empty()))
                .isInstanceOf(InvalidConfigException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"value\": \"\"}",
                "{\"value\": 12345678901}",
                "{\"$schema\": 5, \"value\": \"hush-hush\"}",
                "{\"value\": [\"hush-hush\"]}",
                "{\"value\": {\"masked\": 12345678901}}",
                "{\"value\": {\"masked\": \"hush-hush\"}}",
                "{\"value\": {\"text\": \"hush-hush\"}}",
                "{\"vlaue\": \"hush-hush\"}",
                "{\"value\": \"hush-hush\", \"sealed\": \"v1.00000000.hush-hush\"}",
                "\"hush-hush\""
            })
    void what_is_wrong_is_told_without_what_was_written(String written) {
        var refused = catchThrowableOfType(InvalidConfigException.class, () -> sealed(written));

        assertThat(refused).isNotNull();
        assertThat(refused.toString()).doesNotContain("hush-hush").doesNotContain("12345678901");
    }

    @Test
    void a_file_in_the_clear_is_kept_sealed_and_always_the_same() {
        String kept = documents.found(TOKEN, "{\"id\": \"token\", \"value\": \"hush\"}");

        assertThat(kept)
                .doesNotContain("hush")
                .isEqualTo(documents.found(TOKEN, "{\"id\": \"token\", \"value\": \"hush\"}"));
        assertThat(documents.found(TOKEN, kept)).isEqualTo(kept);
        assertThat(documents.open("token", kept).reveal()).isEqualTo("hush");
    }

    @Test
    void nothing_of_a_file_that_says_something_else_goes_further() {
        String kept = documents.found(TOKEN, "{\"id\": \"token\", \"vlaue\": \"hush\"}");

        assertThat(kept).doesNotContain("hush").contains("/vlaue");
        assertThatThrownBy(() -> documents.open("token", kept)).hasMessageContaining("unknown field");
    }

    @Test
    void other_documents_are_kept_as_they_stand() {
        assertThat(documents.found(DocumentId.api("orders"), "{ }")).isEqualTo("{ }");
    }

    private String sealed(String written) {
        return documents.sealed("token", Json.parse(written), Optional.empty());
    }
}

package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.Json;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PromisesTest {
    private final Promises promises = Promises.of(Json.parse("""
        {"paths": {"/keys/{id}": {"get": {"responses": {"200": {"headers": {"ETag": {}}}}}},
                   "/keys/{id}/usage": {"get": {"responses": {"200": {}, "503": {}}}}},
         "components": {"headers": {"ETag": {}}}}"""));

    @Test
    void an_answer_that_the_document_does_not_promise_fails() {
        assertThatThrownBy(() -> promises.check("GET", "/keys/k1", 503, Set.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("GET /keys/{id}");
    }

    @Test
    void a_field_that_is_promised_and_missing_fails_as_does_one_that_is_there_and_not_promised() {
        assertThatThrownBy(() -> promises.check("GET", "/keys/k1", 200, Set.of("date")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ETag");
        assertThatThrownBy(() -> promises.check("GET", "/keys/k1/usage", 200, Set.of("date", "etag")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("ETag");
    }

    @Test
    void promised_answers_and_what_is_no_operation_pass() {
        assertThatCode(() -> {
                    promises.check("GET", "/keys/k1", 200, Set.of("date", "etag"));
                    promises.check("GET", "/keys/k1/usage", 503, Set.of());
                    promises.check("POST", "/keys/k1", 405, Set.of());
                    promises.check("GET", "/nothing", 404, Set.of());
                })
                .doesNotThrowAnyException();
    }
}

package gateway.app.admin;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.Json;
import org.junit.jupiter.api.Test;

final class PromisesTest {
    private final Promises promises = Promises.of(Json.parse("""
        {"paths": {"/keys/{id}": {"get": {"responses": {"200": {}}}},
                   "/keys/{id}/usage": {"get": {"responses": {"200": {}, "503": {}}}}}}"""));

    @Test
    void an_answer_that_the_document_does_not_promise_fails() {
        assertThatThrownBy(() -> promises.check("GET", "/keys/k1", 503))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("GET /keys/{id}");
    }

    @Test
    void promised_answers_and_what_is_no_operation_pass() {
        assertThatCode(() -> {
                    promises.check("GET", "/keys/k1", 200);
                    promises.check("GET", "/keys/k1/usage", 503);
                    promises.check("POST", "/keys/k1", 405);
                    promises.check("GET", "/nothing", 404);
                })
                .doesNotThrowAnyException();
    }
}

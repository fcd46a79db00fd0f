package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Body;
import gateway.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CallRequestTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a b", "/a\r\nX: y", "/a#b", "/\u00e9", "//a HTTP/1.1"})
    void nothing_in_a_path_can_end_the_request_line(String path) {
        assertThatThrownBy(() -> CallRequest.get(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_method_is_a_token_and_a_value_has_no_line_end() {
        assertThatThrownBy(() -> new CallRequest("GET /", "/", Headers.create(), Body.EMPTY))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CallRequest.get("/").with("X-A", "b\r\nX-C: d"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(CallRequest.get("/a%20b?c=d&e=%C3%A9").path()).isEqualTo("/a%20b?c=d&e=%C3%A9");
    }
}

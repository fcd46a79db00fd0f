package gateway.app.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RequestTargetTest {
    @ParameterizedTest
    @CsvSource({
        "a.example, a.example",
        "A.Example:8080, a.example",
        "a.example., a.example",
        "a.example.:80, a.example",
        "[2001:DB8::1]:80, [2001:db8::1]",
        "10.0.0.1, 10.0.0.1",
        "., ''"
    })
    void a_host_has_one_spelling(String field, String host) {
        assertThat(RequestTarget.host(field)).isEqualTo(host);
    }
}

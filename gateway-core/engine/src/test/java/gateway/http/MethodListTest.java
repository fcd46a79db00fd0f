package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MethodListTest {
    @ParameterizedTest
    @CsvSource({
        "GET, GET, true",
        "GET, HEAD, true",
        "GET, POST, false",
        "HEAD, HEAD, true",
        "HEAD, GET, false",
        "POST, HEAD, false"
    })
    void get_stands_for_head_too(String listed, String method, boolean covered) {
        assertThat(MethodList.covers(Set.of(listed), method)).isEqualTo(covered);
        assertThat(MethodList.covers(Set.of(), method)).isTrue();
    }
}

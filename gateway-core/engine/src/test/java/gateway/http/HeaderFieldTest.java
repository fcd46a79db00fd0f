package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderFieldTest {
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: 1", "a\n", "\u0000", "\u007f", "snow \u2603"})
    void there_is_none_whose_value_could_split_a_message(String value) {
        assertThatThrownBy(() -> new HeaderField("X", value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "\u00e4", "a\r"})
    void there_is_none_whose_name_is_no_token(String name) {
        assertThatThrownBy(() -> new HeaderField(name, "1")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void prints_without_its_value() {
        assertThat(new HeaderField("Authorization", "Bearer x")).hasToString("Authorization");
    }
}

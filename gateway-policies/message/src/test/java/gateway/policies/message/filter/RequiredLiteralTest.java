package gateway.policies.message.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequiredLiteralTest {
    @ParameterizedTest
    @CsvSource(delimiter = ' ', quoteCharacter = '`', textBlock = """
                    (?i)x-internal-[a-z]+ x-internal-
                    abcd abcd
                    abcd?ef abc
                    abcd*efghi efghi
                    abcd{0,2}ef abc
                    abc+de abc
                    a(b|c)defg defg
                    a[^]x]defg defg
                    a\\.b\\.c\\d+ a.b.c
                    ^token=\\w+$ token=
                    a([)]|\\))bcd bcd
                    """)
    void is_what_every_match_holds(String expression, String literal) {
        assertThat(RequiredLiteral.of(expression)).contains(literal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc|def",
                "(abc)",
                "[abc]+",
                "ab",
                "a.b.c",
                "\\d{16}",
                "\\Qabc\\E",
                "\\x61bcd",
                "\\pLabc",
                "(?:abcd)?",
                "abc("
            })
    void is_none_where_that_is_not_sure(String expression) {
        assertThat(RequiredLiteral.of(expression)).isEmpty();
    }
}

package gateway.policies.standard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CredentialsTest {
    @Property
    void reads_what_a_client_wrote(
            @ForAll @StringLength(max = 20) @Chars({'a', 'Z', '0', ' ', 'é', '日'}) String user,
            @ForAll @StringLength(max = 20) @Chars({'a', ':', '0', ' ', 'é', '日'}) String password) {
        Credentials read = parse(user + ":" + password).orElseThrow();

        assertThat(read.user()).isEqualTo(user);
        assertThat(new String(read.password(), UTF_8)).isEqualTo(password);
    }

    @ParameterizedTest
    @ValueSource(strings = {"alice", "", "ali\0ce:wonderland", "alice:wonder\0land"})
    void reads_nothing_without_a_colon_or_with_a_nul(String text) {
        assertThat(parse(text)).isEmpty();
    }

    @Test
    void looks_at_1024_characters_and_no_more() {
        assertThat(parse("a:" + "x".repeat(760))).isPresent(); // 1,022
        assertThat(parse("a:" + "x".repeat(761))).isEmpty(); // 1,026
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic YTpi", "basic YTpi", "BASIC ", "bAsIc   YTpi"})
    void knows_its_scheme_in_any_case(String authorization) {
        assertThat(Credentials.isBasic(authorization)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Basic", "Basically YTpi", "Bearer Basic YTpi", " Basic YTpi"})
    void knows_what_is_another_scheme(String authorization) {
        assertThat(Credentials.isBasic(authorization)).isFalse();
    }

    @Test
    void prints_no_password() {
        assertThat(parse("alice:wonderland").orElseThrow()).hasToString("alice:***");
    }

    private static Optional<Credentials> parse(String text) {
        return Credentials.parse("Basic " + encoded(text));
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }
}

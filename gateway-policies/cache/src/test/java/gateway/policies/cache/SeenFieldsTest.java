package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import gateway.policies.cache.SeenFields.Kind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SeenFieldsTest {
    @ParameterizedTest
    @EnumSource
    void each_name_tells_its_kind_in_every_case_and_no_other(Kind kind) {
        for (String name : kind.names()) {
            for (String written : Set.of(name, name.toLowerCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)))
                assertThat(kinds(seen("Accept", written))).as(written).containsExactly(kind);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept", "X", "X-Hosts", "Cookies", "Pragmb", "~okie", "{ookie", "\u0103ookie"})
    void others_tell_nothing(String name) {
        assertThat(kinds(seen(name, name + "-".repeat(64)))).isEmpty();
    }

    @Test
    void it_is_a_copy() {
        Headers request = Headers.create();
        SeenFields seen = SeenFields.of(request);

        request.add("Cookie", "a=b");

        assertThat(seen.has(Kind.CREDENTIAL)).isFalse();
        assertThat(seen.fields().contains("Cookie")).isFalse();
    }

    private static SeenFields seen(String... names) {
        var lines = new ArrayList<String>();
        for (String name : names) {
            lines.add(name);
            lines.add("value");
        }
        return SeenFields.of(Headers.ofLines(lines));
    }

    private static Set<Kind> kinds(SeenFields seen) {
        var kinds = EnumSet.noneOf(Kind.class);
        for (Kind each : Kind.values()) if (seen.has(each)) kinds.add(each);
        return kinds;
    }
}

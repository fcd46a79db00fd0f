package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchange;
import gateway.http.Exchanges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonPointer;

/// What of a request is in the key beside its target.
final class KeyPartsTest {
    private static final Map<String, String> USUAL =
            Map.of("Host", "api.example.com", "X-Forwarded-Host", "api.example.com", "X-Forwarded-Proto", "http");

    private final KeyParts parts = parts(CountedParameters.ALL);

    @Test
    void what_the_target_says_already_is_not_told_again() {
        assertThat(part(USUAL)).isEmpty();
    }

    /// The order of immutable sets is another in each process, and nodes find each other's answers by this text.
    @Test
    void the_text_of_names_is_the_same_in_each_process() {
        var names = Set.of("f", "b", "a", "e", "d", "c");

        assertThat(parts(new CountedParameters(names, Set.of(), Set.of())))
                .asString()
                .contains("[a, b, c, d, e, f]");
        assertThat(parts(new CountedParameters(Set.of(), names, Set.of())))
                .asString()
                .contains("[a, b, c, d, e, f]");
    }

    /// Also by leaving out what the gateway or a trusted proxy sets.
    @Test
    void whoever_tells_the_upstream_anything_else_has_another_key() {
        var all = new ArrayList<String>();
        all.add(part(USUAL));
        for (String name : USUAL.keySet()) {
            for (String value : List.of("", "evil", "evil, api.example.com")) all.add(part(with(name, value)));
            var without = new HashMap<>(USUAL);
            without.remove(name);
            all.add(part(without));
        }
        all.add(part(Map.of()));

        assertThat(all).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({"Host, API.example.com", "Host, api.example.com:80", "X-Forwarded-Proto, HTTP"})
    void other_ways_to_write_the_same_are_other_keys(String name, String value) {
        assertThat(part(with(name, value))).contains(value);
    }

    private static KeyParts parts(CountedParameters query) {
        return new KeyParts(query, List.of(), NamedCookies.NONE, KeyParts.By.API, JsonPointer.empty());
    }

    private static Map<String, String> with(String name, String value) {
        var fields = new HashMap<>(USUAL);
        fields.put(name, value);
        return fields;
    }

    private String part(Map<String, String> fields) {
        Exchanges request = Exchanges.get("/a");
        fields.forEach(request::with);
        Exchange exchange = request.make();
        return parts.part(exchange, SeenFields.of(exchange.headers()));
    }
}

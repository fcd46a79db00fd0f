package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.json.ConfigNode;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class CountedByTest {
    private static final CountedBy TENANT = new CountedBy.Header("X-Tenant");

    @Property
    void two_values_of_a_header_share_a_counter_when_they_are_equal_and_only_then(
            @ForAll @StringLength(max = 70) @CharRange(from = ' ', to = '~') @CharRange(from = '¡', to = 'ÿ')
                    String one,
            @ForAll @StringLength(max = 70) @CharRange(from = ' ', to = '~') @CharRange(from = '¡', to = 'ÿ')
                    String other) {
        assertThat(subject(one).equals(subject(other))).isEqualTo(one.equals(other));
    }

    @Property
    void a_value_makes_no_name_that_a_store_would_stumble_over(
            @ForAll @CharRange(from = ' ', to = '~') @CharRange(from = '¡', to = 'ÿ') String value) {
        assertThat(subject(value)).matches("header:[A-Za-z0-9._@#-]{1,64}");
    }

    @Test
    void nobody_names_the_counter_of_a_value_that_is_hashed() {
        String hashed = subject("a b");

        assertThat(subject(hashed.substring("header:".length()))).isNotEqualTo(hashed);
    }

    @Test
    void of_several_lines_the_first_counts() {
        var exchange =
                Exchanges.get("/").with("X-Tenant", "a").with("X-Tenant", "b").make();

        assertThat(TENANT.subject(exchange)).isEqualTo("header:a");
    }

    @Test
    void neighbours_in_a_64_share_a_counter_and_those_beside_it_do_not() {
        var ip = new CountedBy.Ip();

        assertThat(ip.subject(Exchanges.get("/").from("2001:db8:0:1::1").make()))
                .isEqualTo(ip.subject(
                        Exchanges.get("/").from("2001:db8:0:1:ffff::2").make()))
                .isNotEqualTo(
                        ip.subject(Exchanges.get("/").from("2001:db8:0:2::1").make()));
    }

    @Test
    void reads_whom_it_counts() {
        assertThat(List.of(read("key"), read("ip"), read("api"), read("header:X-Tenant")))
                .containsExactly(new CountedBy.Key(), new CountedBy.Ip(), new CountedBy.Api(), TENANT);
    }

    private static CountedBy read(String text) {
        return CountedBy.read(ConfigNode.parse('"' + text + '"'));
    }

    private static String subject(String value) {
        return TENANT.subject(Exchanges.get("/").with("X-Tenant", value).make());
    }
}

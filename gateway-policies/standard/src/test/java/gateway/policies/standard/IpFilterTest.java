package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import org.junit.jupiter.api.Test;

final class IpFilterTest {
    private final Reading reading = new Reading(new IpFilter.Type());

    @Test
    void lets_only_those_pass_that_are_allowed() {
        var policy = reading.policy("{'allow': ['10.0.0.0/8', '2001:db8::/32']}");

        assertThat(policy.stop(Exchanges.get("/").from("10.1.2.3").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").from("2001:db8::7").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").from("11.0.0.1").make()))
                .map(Response::status)
                .contains(403);
        assertThat(policy.stop(Exchanges.get("/").from("2001:db9::7").make()))
                .map(Response::status)
                .contains(403);
    }

    @Test
    void lets_everybody_pass_but_those_that_are_denied() {
        var policy = reading.policy("{'deny': ['10.0.0.13', '2001:db8::/32']}");

        assertThat(policy.stop(Exchanges.get("/").from("10.0.0.12").make())).isEmpty();
        assertThat(policy.stop(Exchanges.get("/").from("10.0.0.13").make()))
                .map(Response::status)
                .contains(403);
        assertThat(policy.stop(Exchanges.get("/").from("2001:db8::7").make()))
                .map(Response::status)
                .contains(403);
    }

    @Test
    void denies_also_what_is_allowed() {
        var policy = reading.policy("{'allow': ['10.0.0.0/8'], 'deny': ['10.0.0.13']}");

        Response stop = policy.stop(Exchanges.get("/").from("10.0.0.13").make()).orElseThrow();

        assertThat(Reading.problem(stop)).isEqualTo("forbidden");
        assertThat(Reading.detail(stop)).isEqualTo("Your address is not allowed here");
    }

    @Test
    void refuses_what_is_no_address_and_a_filter_of_nothing() {
        assertThat(reading.problems("{'allow': ['localhost'], 'deny': ['10.0.0.0/33']}"))
                .allMatch(
                        problem -> problem.startsWith("/allow/0: expected") || problem.startsWith("/deny/0: expected"))
                .hasSize(2);
        assertThat(reading.problems("{'allow': []}"))
                .containsExactly("/: expected at least one address in \"allow\" or \"deny\"");
    }
}

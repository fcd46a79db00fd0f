package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GatewayCookiesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "__Host-gw-orders",
                "gw-orders",
                "__Host-gw-orders~1",
                "gw-orders~login4",
                "__Host-gw-orders~done",
                "gw-orders~"
            })
    void takes_out_its_own_by_either_way_they_come(String name) {
        assertThat(sentOn("a=1; " + name + "=x; b=2")).isEqualTo("a=1; b=2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "__Host-gw-orders2",
                "gw-order",
                "gw-orders-eu",
                "my-gw-orders",
                "__Host-",
                "__Host-__Host-gw-orders",
                "__host-gw-orders",
                "GW-orders"
            })
    void leaves_those_that_only_look_alike(String name) {
        assertThat(sentOn("a=1; " + name + "=x;b=2")).isEqualTo("a=1; " + name + "=x;b=2");
    }

    private static String sentOn(String cookies) {
        Headers headers = Headers.ofLines(List.of("Cookie", cookies));
        GatewayCookies.of("__Host-gw-orders", true).strip(headers);
        return headers.first("Cookie").orElse("");
    }
}

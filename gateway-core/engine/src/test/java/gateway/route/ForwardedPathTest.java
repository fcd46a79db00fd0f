package gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.PathPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ForwardedPathTest {
    @Test
    void is_the_whole_path_or_what_lies_below_a_prefix() {
        var orders = PathPattern.of("/orders");

        assertThat(new ForwardedPath.Whole().of("/orders/%61")).isEqualTo("/orders/%61");
        assertThat(new ForwardedPath.Below(orders).of("/%6frders/%61")).isEqualTo("/%61");
        assertThat(new ForwardedPath.Below(orders).of("/orders")).isEqualTo("/");
    }

    @ParameterizedTest
    @CsvSource({
        "/orders, /orders/v1/items/%61, /orders/items/%61",
        "/orders, /%6frders/%76%31/items, /%6frders/items",
        "/orders, /orders/v1, /orders",
        "/orders, /orders/v1/, /orders/",
        "/t/{tenant}, /t/7/v1/x, /t/7/x",
        "/, /v1/x, /x",
        "/, /v1, /",
        "/, /v1/, /",
    })
    void leaves_out_the_segment_of_the_version(String prefix, String raw, String forwarded) {
        var cut = PathPattern.of(prefix.equals("/") ? "/v1" : prefix + "/v1");

        assertThat(new ForwardedPath.Without(PathPattern.of(prefix), cut).of(raw))
                .isEqualTo(forwarded);
    }
}

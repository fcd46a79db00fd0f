package gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExchangeTest {
    @Test
    void what_is_taken_off_the_query_for_the_upstream_stays_in_what_was_sent() {
        Exchange exchange = Exchanges.get("/orders?key=s3cret&a=%2f").make();

        exchange.outgoing().removeQueryParameter("key");

        assertThat(exchange.outgoing().query()).isEqualTo("a=%2f");
        assertThat(exchange.queryParameter("key")).isEmpty();
        assertThat(exchange.queryParameter("a")).contains("/");
        assertThat(exchange.head().query()).isEqualTo("key=s3cret&a=%2f");
    }

    @Test
    void a_body_put_in_place_of_the_clients_goes_out_and_leaves_the_clients() {
        Exchange exchange = Exchanges.of("POST", "/").body("sent").make();
        Body other = Body.of("other".getBytes(UTF_8));

        exchange.outgoing().replaceBody(other);

        assertThat(exchange.outgoing().body()).isSameAs(other);
        assertThat(exchange.body().bytes(10)).asString(UTF_8).isEqualTo("sent");
    }

    @Test
    void a_copy_of_what_goes_out_goes_its_own_way() {
        Exchange exchange = Exchanges.of("POST", "/orders?a=1&b=2").body("sent").make();
        Outgoing copy = exchange.outgoing().copy(Headers.create());

        exchange.outgoing().removeQueryParameter("a");
        exchange.outgoing().replaceBody(Body.EMPTY);
        exchange.outgoing().headers().set("X-Late", "1");

        assertThat(copy).hasToString("POST /orders");
        assertThat(copy.query()).isEqualTo("a=1&b=2");
        assertThat(copy.body().bytes(10)).asString(UTF_8).isEqualTo("sent");
        assertThat(copy.headers().contains("X-Late")).isFalse();
    }

    @Test
    void what_is_rewritten_is_for_the_upstream_and_its_copies_alone() {
        Exchange exchange =
                Exchanges.get("/orders/7?a=1&b=%2f&a=2").host("api.example.com").make();
        Outgoing before = exchange.outgoing().copy(Headers.create());

        assertThat(exchange.outgoing().path("/x/%3f")).isEqualTo(new CanonicalPath.Canonical("/x/?", false));
        exchange.outgoing().method("DELETE");
        exchange.outgoing().authority("h:1");
        exchange.outgoing().branch("green");
        exchange.outgoing().keepQueryParameters(Set.of("b", "c")::contains);
        Outgoing after = exchange.outgoing().copy(Headers.create());

        assertThat(after).hasToString("DELETE /x/%3f");
        assertThat(after.authority()).isEqualTo("h:1");
        assertThat(after.branch()).isEqualTo("green");
        assertThat(after.query()).isEqualTo("b=%2f");
        assertThat(before).hasToString("GET /orders/7");
        assertThat(before.authority()).isEmpty();
        assertThat(before.branch()).isEmpty();
        assertThat(exchange).hasToString("GET /orders/7");
        assertThat(exchange.host()).isEqualTo("api.example.com");
    }

    @Test
    void a_path_that_no_client_might_send_is_not_sent() {
        Exchange exchange = Exchanges.get("/orders").make();

        for (String path : List.of("", "a", "/a//b", "/../b", "/%2e%2e/b", "/a?b", "/a#b", "/a b", "/a%2fb", "/%00"))
            assertThat(exchange.outgoing().path(path)).as(path).isInstanceOf(CanonicalPath.Refused.class);

        assertThat(exchange.outgoing().path()).isEqualTo("/orders");
    }

    @Test
    void the_smallest_limit_for_the_body_holds() {
        Exchange exchange = Exchanges.of("POST", "/").make();

        exchange.limitBody(8);
        exchange.limitBody(9);

        assertThat(exchange.bodyLimit()).isEqualTo(8);
    }

    @Test
    void cookies_are_found_in_whichever_line_and_without_their_quotes() {
        Exchange exchange = Exchanges.get("/")
                .with("Cookie", "a=1; ab=2")
                .with("Cookie", "b=\"3\";c=")
                .make();

        assertThat(exchange.cookie("ab")).contains("2");
        assertThat(exchange.cookie("b")).contains("3");
        assertThat(exchange.cookie("c")).contains("");
        assertThat(exchange.cookie("d")).isEmpty();
    }

    @Test
    void a_request_that_no_api_serves_is_its_own_path() {
        assertThat(RouteFacts.NONE.apiId()).isEmpty();
        assertThat(RouteFacts.NONE.below("/orders/7")).isEqualTo("/orders/7");
        assertThat(RouteFacts.NONE.pathParameter("id", "/orders/7")).isEmpty();
    }
}

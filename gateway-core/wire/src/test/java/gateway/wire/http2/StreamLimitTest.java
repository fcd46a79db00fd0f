package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StreamLimitTest {
    private final StreamLimit limit = new StreamLimit();

    @Test
    void is_100_until_the_settings_come() {
        assertThat(limit.most()).isEqualTo(100);
    }

    @Test
    void is_the_gateway_s_own_when_the_settings_say_nothing() {
        limit.settled();

        assertThat(limit.most()).isEqualTo(1000);
    }

    @Test
    void is_the_server_s_when_it_allows_less() {
        limit.tell(0);
        limit.settled();

        assertThat(limit.most()).isZero();
    }

    @Test
    void is_the_gateway_s_own_when_the_server_allows_more() {
        limit.tell(0xffffffffL);

        assertThat(limit.most()).isEqualTo(1000);
    }

    @Test
    void stays_when_later_settings_say_nothing() {
        limit.tell(7);
        limit.settled();
        limit.settled();

        assertThat(limit.most()).isEqualTo(7);
    }
}

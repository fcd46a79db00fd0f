package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnderWayTest {
    private final UnderWay underWay = new UnderWay(1000);

    @Test
    void nothing_is_while_no_stream_was_left() {
        assertThat(underWay.take(0)).isTrue();
        assertThat(underWay.take(1)).isFalse();
    }

    @Test
    void what_the_window_of_a_stream_had_left_may_come_in_pieces_of_any_size() {
        underWay.add(500);

        for (int i = 0; i < 100; i++) assertThat(underWay.take(1)).isTrue();
        assertThat(underWay.take(400)).isTrue();
        assertThat(underWay.take(1)).isFalse();
    }

    @Test
    void streams_that_are_left_add_up() {
        underWay.add(300);
        assertThat(underWay.take(200)).isTrue();
        underWay.add(400);

        assertThat(underWay.take(500)).isTrue();
        assertThat(underWay.take(1)).isFalse();
    }

    @Test
    void never_is_more_than_the_window_of_the_connection_holds() {
        for (int i = 0; i < 20; i++) underWay.add(800);

        assertThat(underWay.take(1000)).isTrue();
        assertThat(underWay.take(1)).isFalse();
    }
}

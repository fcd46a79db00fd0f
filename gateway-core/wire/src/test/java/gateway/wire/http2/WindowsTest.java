package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Windows as RFC 9113 §6.9 has them.
final class WindowsTest {
    private static final int MOST = 1000;

    private final Windows windows = new Windows(MOST);

    /// One stream's window, as wide as it was made.
    private static final class Stream implements Windows.Stream {
        private long left;

        Stream(long left) {
            this.left = left;
        }

        @Override
        public boolean widen(long by) {
            left += by;
            return Windows.mayBe(left);
        }
    }

    @Test
    void begin_with_65_535_bytes() { // §6.9.2
        assertThat(windows.left()).isEqualTo(65_535);
        assertThat(windows.initial()).isEqualTo(65_535);
    }

    @Test
    void content_that_is_sent_narrows_the_window_and_an_update_widens_it() {
        windows.sent(65_000);
        assertThat(windows.widen(100)).isTrue();

        assertThat(windows.left()).isEqualTo(635);
    }

    @Test
    void the_widest_window_is_2_147_483_647_bytes() { // §6.9.1
        assertThat(windows.widen(Integer.MAX_VALUE - 65_535)).isTrue();
        assertThat(windows.left()).isEqualTo(Integer.MAX_VALUE);

        assertThat(windows.widen(1)).isFalse();
    }

    @Test
    void updates_past_all_measure_do_not_wrap_around() {
        assertThat(windows.widen(Integer.MAX_VALUE)).isFalse();
        assertThat(windows.widen(Integer.MAX_VALUE)).isFalse();
    }

    @Test
    void a_new_initial_window_is_that_of_streams_to_come() { // §6.9.2
        assertThat(windows.initial(10, List.of())).isTrue();

        assertThat(windows.initial()).isEqualTo(10);
    }

    @Test
    void a_new_initial_window_changes_open_streams_by_the_difference() { // §6.9.2
        var fresh = new Stream(65_535);
        var used = new Stream(5);

        assertThat(windows.initial(65_635, List.of(fresh, used))).isTrue();

        assertThat(fresh.left).isEqualTo(65_635);
        assertThat(used.left).isEqualTo(105);
    }

    @Test
    void a_smaller_initial_window_may_leave_a_stream_with_less_than_nothing() { // §6.9.2
        var used = new Stream(5);

        assertThat(windows.initial(0, List.of(used))).isTrue();

        assertThat(used.left).isEqualTo(5 - 65_535);
    }

    @Test
    void an_initial_window_that_is_too_much_for_one_stream_is_at_fault_and_reaches_all() { // §6.9.2
        var wide = new Stream(Integer.MAX_VALUE);
        var fresh = new Stream(65_535);

        assertThat(windows.initial(65_536, List.of(wide, fresh))).isFalse();

        assertThat(fresh.left).isEqualTo(65_536);
    }

    @Test
    void an_initial_window_says_nothing_of_the_connection() { // §6.9.2
        windows.initial(Integer.MAX_VALUE, List.of());

        assertThat(windows.left()).isEqualTo(65_535);
    }

    @Test
    void the_peer_may_fill_the_window_and_no_more() { // §6.9.1
        assertThat(windows.received(MOST)).isTrue();

        assertThat(windows.received(1)).isFalse();
    }

    @Test
    void what_was_read_is_allowed_anew_a_quarter_of_the_window_at_a_time() {
        windows.received(MOST);

        assertThat(windows.consumed(249)).isZero();
        assertThat(windows.consumed(3)).isEqualTo(252);
        assertThat(windows.consumed(249)).isZero();
    }

    @Test
    void the_peer_may_send_what_was_allowed_anew_and_no_more() {
        windows.received(MOST);
        windows.consumed(300);
        windows.consumed(200);

        assertThat(windows.received(300)).isTrue();
        assertThat(windows.received(1)).isFalse();
    }

    @Test
    void content_without_end_passes_as_it_is_read() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(windows.received(400)).isTrue();
            windows.consumed(400);
        }
    }
}

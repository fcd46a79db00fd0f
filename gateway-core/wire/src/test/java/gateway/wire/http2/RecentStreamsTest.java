package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.http2.RecentStreams.End;
import org.junit.jupiter.api.Test;

final class RecentStreamsTest {
    private final RecentStreams recent = new RecentStreams();

    @Test
    void a_stream_that_a_higher_one_passes_over_is_never_opened() {
        recent.opened(5);

        assertThat(recent.end(1)).isEqualTo(End.NEVER_OPENED);
        assertThat(recent.end(3)).isEqualTo(End.NEVER_OPENED);
        assertThat(recent.end(5)).isEqualTo(End.BY_CLIENT);
        assertThat(recent.end(7)).isEqualTo(End.NOT_YET);
    }

    @Test
    void what_the_gateway_left_may_have_more_under_way_until_its_client_resets_it() {
        recent.opened(1);
        recent.left(1);
        End left = recent.end(1);
        recent.endedByClient(1);

        assertThat(left).isEqualTo(End.BY_GATEWAY);
        assertThat(recent.end(1)).isEqualTo(End.BY_CLIENT);
    }

    @Test
    void a_number_takes_nothing_over_from_the_one_whose_place_it_has() {
        recent.opened(1);
        recent.left(1);
        recent.opened(513);

        assertThat(recent.end(513)).isEqualTo(End.BY_CLIENT);
        assertThat(recent.end(511)).isEqualTo(End.NEVER_OPENED);
        assertThat(recent.end(3)).isEqualTo(End.NEVER_OPENED);
    }

    @Test
    void of_old_ones_nothing_is_known_so_that_anything_may_be_under_way() {
        recent.opened(1);
        recent.opened(Integer.MAX_VALUE);
        recent.left(1);

        assertThat(recent.end(1)).isEqualTo(End.BY_GATEWAY);
        assertThat(recent.end(Integer.MAX_VALUE)).isEqualTo(End.BY_CLIENT);
    }
}

package gateway.wire.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SilentLineTest {
    private final SilentLine line = new SilentLine(0);
    private final List<String> ended = new ArrayList<>();

    @Test
    void the_eldest_ends_first() {
        line.join(client("first", false));
        line.join(client("second", false));

        assertThat(line.makeRoom()).isTrue();
        assertThat(ended).containsExactly("first");
    }

    @Test
    void who_has_sent_what_waits_to_be_read_is_the_last_to_end() {
        line.join(client("first", true));
        line.join(client("second", false));

        assertThat(line.makeRoom()).isTrue();
        assertThat(line.makeRoom()).isFalse();
        assertThat(ended).containsExactly("second");
    }

    @Test
    void who_has_been_served_does_not_end_while_those_who_were_not_wait_to_be_heard() {
        var connections = new SilentConnections();
        connections.idle(client("served", false));
        for (int i = 0; i <= SilentLine.NEWCOMERS_UNHEARD; i++) connections.begun(client("newcomer " + i, true));

        assertThat(connections.makeRoom()).isFalse();
        assertThat(ended).isEmpty();
    }

    @Test
    void who_has_been_served_ends_when_all_others_are_too_new() {
        var connections = new SilentConnections();
        connections.idle(client("served", false));
        for (int i = 0; i < SilentLine.NEWCOMERS_UNHEARD; i++) connections.begun(client("newcomer " + i, true));

        assertThat(connections.makeRoom()).isTrue();
        assertThat(ended).containsExactly("served");
    }

    private SilentLine.Silent client(String name, boolean awaitsTurn) {
        return new SilentLine.Silent() {
            @Override
            public boolean awaitsTurn() {
                return awaitsTurn;
            }

            @Override
            public boolean makeRoom() {
                return ended.add(name);
            }
        };
    }
}

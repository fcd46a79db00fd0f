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

package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerCaptureTest {
    private final CopyRoom copies = new CopyRoom(10 * 1024);
    private final List<String> told = new ArrayList<>();

    @Test
    void copies_take_no_more_than_their_room_and_give_it_back_when_requests_are_over() {
        AnswerCapture first = capture("first");
        capture("second");
        first.complete();
        capture("third");

        first.giveBack();
        capture("fourth").complete();

        assertThat(told).containsExactly("second unkept", "first whole", "third unkept", "fourth whole");
    }

    /// One to which 6 KiB have come.
    private AnswerCapture capture(String name) {
        var capture = new AnswerCapture(
                _ -> {},
                copies,
                6 * 1024,
                1 << 20,
                _ -> told.add(name + " whole"),
                () -> told.add(name + " outgrown"),
                () -> told.add(name + " unkept"),
                () -> told.add(name + " failed"));
        capture.piece(ByteBuffer.allocate(6 * 1024));
        return capture;
    }
}

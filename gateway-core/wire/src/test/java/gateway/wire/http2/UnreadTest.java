package gateway.wire.http2;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.wire.memory.Budget;
import gateway.wire.memory.Holding;
import gateway.wire.memory.Purse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class UnreadTest {
    private final Holding holding = new Holding(new Purse(new Budget(1 << 20)));
    private final Unread unread = new Unread(holding);

    @Test
    void what_is_read_before_it_goes_is_not_kept() {
        unread.add(octets("ab"));
        unread.add(octets("c"));

        assertThat(read(10)).isEqualTo("abc");
        assertThat(unread.keep()).isTrue();
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void what_is_kept_does_not_depend_on_where_it_came_from() {
        ByteBuffer lent = octets("abcd");
        unread.add(lent);
        assertThat(read(1)).isEqualTo("a");
        unread.keep();
        lent.put(0, new byte[4]);

        assertThat(read(10)).isEqualTo("bcd");
        assertThat(holding.bytes()).isZero();
    }

    @Test
    void a_byte_at_a_time_is_kept_at_little_more_than_what_the_bytes_take() {
        for (int i = 0; i < 20_000; i++) {
            unread.add(octets("x"));
            unread.keep();
        }

        assertThat(unread.size()).isEqualTo(20_000);
        assertThat(holding.bytes()).isBetween(20_000L, 21_000L);
    }

    @Test
    void what_there_is_no_memory_for_is_not_kept() {
        var small = new Unread(new Holding(new Purse(new Budget(200))));
        small.add(octets("x".repeat(50)));
        assertThat(small.keep()).isTrue();
        small.add(octets("x".repeat(150)));

        assertThat(small.keep()).isFalse();
        assertThat(small.clear()).isEqualTo(200);
    }

    @Property
    void gives_in_order_what_it_was_given_and_holds_as_much(
            @ForAll @Size(max = 60) int[] steps, @ForAll @IntRange(min = 1, max = 9_000) int most) {
        var held = new Holding(new Purse(new Budget(1 << 30)));
        var content = new Unread(held);
        var given = new ByteArrayOutputStream();
        var taken = new ByteArrayOutputStream();

        for (int step : steps) {
            int count = Math.floorMod(step, most) + 1;
            if (step % 3 == 0) {
                ByteBuffer target = ByteBuffer.allocate(count);
                content.read(target);
                taken.write(target.array(), 0, target.position());
            } else {
                byte[] more = new byte[count];
                for (int i = 0; i < count; i++) more[i] = (byte) (step + i);
                given.writeBytes(more);
                content.add(ByteBuffer.wrap(more));
            }
            if (step % 2 == 0) content.keep();
        }
        content.keep();
        assertThat(content.size()).isEqualTo(given.size() - taken.size());
        assertThat(held.bytes()).isGreaterThanOrEqualTo(content.size());
        ByteBuffer rest = ByteBuffer.allocate(content.size());
        content.read(rest);
        taken.writeBytes(rest.array());

        assertThat(taken.toByteArray()).isEqualTo(given.toByteArray());
        assertThat(content.size()).isZero();
        assertThat(held.bytes()).isZero();
    }

    private static ByteBuffer octets(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String read(int most) {
        ByteBuffer target = ByteBuffer.allocate(most);
        unread.read(target);
        return new String(target.array(), 0, target.position(), StandardCharsets.ISO_8859_1);
    }
}

package gateway.policies.message.filter;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policies.message.filter.ValueDecoding.Disguise;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ValueDecodingTest {
    private static final ValueDecoding DECODING = new ValueDecoding(Set.of(Disguise.UNICODE));

    private static String last(String value) {
        return DECODING.readings(value, false).getLast();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\uff1cscript\uff1e",
                "e\u0301t\u00e9 ",
                "\u03b1\u0301\u0323 \u30ab\u3099",
                "\ud835\udc2c",
                "a\ufdfa",
                "\u4e2d\u6587"
            })
    void a_long_value_is_read_as_a_whole(String part) {
        for (int begin = 0; begin < 4; begin++) {
            String value = "a".repeat(begin) + part.repeat(1_000);

            assertThat(last(value)).isEqualTo(Normalizer.normalize(value, Normalizer.Form.NFKC));
        }
    }

    /// By the thread's own CPU time, so that nothing else of the machine counts. Put in order as a whole they take
    /// seconds.
    @Test
    void marks_without_end_in_no_order_take_no_long_time() {
        String marks = "\u0315".repeat(50_000) + "\uff9e\u0316".repeat(25_000);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();

        String read = last("<" + marks + "\uff1cscript\uff1e");

        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before)).isLessThan(Duration.ofSeconds(1));
        assertThat(read).startsWith("<").endsWith("<script>");
    }
}

package gateway.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.undertow.util.HeaderMap;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GrpcTimeoutTest {
    private static final HttpString FIELD = new HttpString("grpc-timeout");

    @Test
    void reads_every_unit() {
        assertThat(nanos("2H")).isEqualTo(Duration.ofHours(2).toNanos());
        assertThat(nanos("3M")).isEqualTo(Duration.ofMinutes(3).toNanos());
        assertThat(nanos("4S")).isEqualTo(Duration.ofSeconds(4).toNanos());
        assertThat(nanos("5m")).isEqualTo(Duration.ofMillis(5).toNanos());
        assertThat(nanos("6u")).isEqualTo(6_000);
        assertThat(nanos("12345678n")).isEqualTo(12_345_678);
    }

    @Test
    void what_is_longer_than_a_long_can_tell_is_no_bound() {
        assertThat(nanos("99999999H")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void what_is_no_timeout_bounds_nothing() {
        assertThat(GrpcTimeout.nanos(new HeaderMap())).isEqualTo(Long.MAX_VALUE);
        for (String wrong : new String[] {"", "S", "5", "5s", "5 S", "-5S", "+5S", "1.5S", "123456789n", "0S", "٣S"}) {
            assertThat(nanos(wrong)).as(wrong).isEqualTo(Long.MAX_VALUE);
        }
        var twice = new HeaderMap().put(Headers.CONTENT_TYPE, "application/grpc");
        twice.add(FIELD, "1S");
        twice.add(FIELD, "2S");
        assertThat(GrpcTimeout.nanos(twice)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void only_requests_of_grpc_have_one() {
        for (String other : new String[] {"application/json", "application/grpc-web", "application/grpcx", ""}) {
            var fields = new HeaderMap().put(FIELD, "1S").put(Headers.CONTENT_TYPE, other);
            assertThat(GrpcTimeout.nanos(fields)).as(other).isEqualTo(Long.MAX_VALUE);
        }
    }

    private static long nanos(String text) {
        var fields = new HeaderMap();
        fields.put(FIELD, text).put(Headers.CONTENT_TYPE, "application/grpc+proto");
        return GrpcTimeout.nanos(fields);
    }
}

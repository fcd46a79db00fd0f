package gateway.policies.cache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteRangeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0|bytes 0-0/10",
                "BYTES=0-9|bytes 0-9/10",
                "bytes=3-|bytes 3-9/10",
                "bytes=3-100|bytes 3-9/10",
                "bytes=-3|bytes 7-9/10",
                "bytes=-100|bytes 0-9/10",
                "bytes=9-999999999999999999|bytes 9-9/10",
                "bytes=10-|bytes */10",
                "bytes=-0|bytes */10",
                "bytes=999999999999999999-|bytes */10",
            })
    void one_range_is_what_there_is_of_it(String field, String told) {
        assertThat(ByteRange.read(field, 10)).map(ByteRange::toString).contains(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bytes=",
                "bytes=-",
                "bytes=3",
                "bytes=5-3",
                "bytes=0-1,3-4",
                "bytes=a-b",
                "bytes=+1-2",
                "bytes=1--2",
                "bytes=0-9999999999999999999",
                "lines=0-1",
                "0-1",
                "",
            })
    void anything_else_is_no_range(String field) {
        assertThat(ByteRange.read(field, 10)).isEmpty();
    }
}

package gateway.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterMaskTest {
    private final ParameterMask mask = new ParameterMask(Set.of("token", "to ken"));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a=1&token=s3cret&b=2         | a=1&token=***&b=2
            token=s3cret                 | token=***
            to%6ben=s3cret               | to%6ben=***
            to+ken=s3cret&to%20ken=x     | to+ken=***&to%20ken=***
            TOKEN=s3cret                 | TOKEN=***
            a=1;token=s3cret             | a=1;token=***
            token=s3cret;s3cret&b=2      | token=***&b=2
            token[]=s3cret&token[a]=s    | token[]=***&token[a]=***
            token%5B0%5D=s3cret          | token%5B0%5D=***
            token=s=3=cret&token=s3cret  | token=***&token=***
            +token=s3cret                | +token=***
            token=                       | token=***
            token&a                      | token&a
            &&a=&=b&                     | &&a=&=b&
            tok%zzen=1&mytoken=2         | tok%zzen=1&mytoken=2
            """)
    void hides_values_however_their_names_are_written(String query, String expected) {
        assertThat(mask.mask(query)).isEqualTo(expected);
    }
}

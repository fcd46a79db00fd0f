package gateway.policies.message.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What two readers could take apart in two ways is no form here.
final class MultipartFormTest {
    private static final String HEAD = "Content-Disposition: form-data; name=\"a\"";

    @Test
    void parts_are_read_one_by_one() {
        Optional<List<FormPart>> parts =
                read("boundary=b", "--b\r\n" + HEAD + "\r\n\r\n1\r\n--b\r\n" + HEAD + "\r\n\r\nx--b\r\n--b--\r\n");

        assertThat(parts).isPresent();
        assertThat(parts.orElseThrow()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\n--b\nContent-Disposition: form-data; name=\"role\"\n\nadmin",
                "x\r--b\rContent-Disposition: form-data; name=\"role\"\r\radmin",
                "x\n--b--\n"
            })
    void a_delimiter_behind_half_of_a_line_end_is_none_that_all_see(String content) {
        assertThat(read("boundary=b", "--b\r\n" + HEAD + "\r\n\r\n" + content + "\r\n--b--\r\n"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type\t: application/json",
                "Content-Type\u00a0: application/json",
                "Content-Type : application/json",
                "Content-Disposition\t: form-data; name=\"role\"",
                "Content-Type: \"application/json\"",
                "Content-Type: (x)application/json",
                "Content-Type: text/plain, application/json",
                "Content-Type: application/json\0",
                "Content-Type:"
            })
    void fields_are_said_in_one_way(String line) {
        assertThat(read("boundary=b", "--b\r\n" + HEAD + "\r\n" + line + "\r\n\r\n1\r\n--b--\r\n"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"; name =\"b\"", "; name*0=\"b\"", "; name*=utf-8''b", "; na me=b", "; =b"})
    void so_are_their_parameters(String parameter) {
        assertThat(read("boundary=b", "--b\r\n" + HEAD + parameter + "\r\n\r\n1\r\n--b--\r\n"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"boundary =c; boundary=b", "boundary*=utf-8''c; boundary=b", "boundary*0=c; boundary=b"})
    void and_the_boundary(String parameters) {
        assertThat(read(parameters, "--b\r\n" + HEAD + "\r\n\r\n1\r\n--b--\r\n"))
                .isEmpty();
    }

    private static Optional<List<FormPart>> read(String parameters, String content) {
        return MultipartForm.parts(content.getBytes(ISO_8859_1), "multipart/form-data; " + parameters);
    }
}

package gateway.policies.standard;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Headers;
import org.junit.jupiter.api.Test;

final class CookiesTest {
    @Test
    void takes_every_cookie_of_that_name_out_of_all_lines() {
        assertThat(without("session", "a=1; session=x", "session=y; b=2; session=z"))
                .hasToString("[Cookie, a=1; b=2]");
    }

    @Test
    void leaves_cookies_whose_names_only_look_alike() {
        assertThat(without("session", "sessions=1; Session=2; my-session=3; a=session; session=x"))
                .hasToString("[Cookie, sessions=1; Session=2; my-session=3; a=session]");
    }

    @Test
    void knows_a_cookie_however_it_is_spaced_and_without_a_value() {
        assertThat(without("session", " session = x ;a=1;session;;b=\"2 3\";")).hasToString("[Cookie, a=1; b=\"2 3\"]");
    }

    @Test
    void writes_nothing_anew_when_there_is_no_such_cookie() {
        assertThat(without("session", "b=2;a=1", "c=3;")).hasToString("[Cookie, b=2;a=1, Cookie, c=3;]");
        assertThat(without("session")).hasToString("[]");
    }

    @Test
    void leaves_no_empty_header() {
        assertThat(without("session", "session=x", "session=y;")).hasToString("[]");
    }

    private static Headers without(String name, String... lines) {
        var headers = Headers.create();
        for (String line : lines) headers.add("Cookie", line);
        Cookies.remove(headers, name);
        return headers;
    }
}

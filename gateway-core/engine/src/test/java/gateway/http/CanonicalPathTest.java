package gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.CanonicalPath.Canonical;
import gateway.http.CanonicalPath.Refused;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CanonicalPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a/",
                "/a/b.c/d~e",
                "/orders/1",
                "/v1/things:verb",
                "/a;v=1/b",
                "/x@y/$(1)*+,=!&'",
                "/.well-known/x",
                "/...",
                "/..a",
                "/a..",
                "/.a./b",
                "/a;..",
                "/a/.../"
            })
    void a_path_in_canonical_form_is_answered_as_it_is(String raw) {
        assertThat(CanonicalPath.of(raw)).isEqualTo(new Canonical(raw, false));
        assertThat(((Canonical) CanonicalPath.of(raw)).path()).isSameAs(raw);
    }

    @ParameterizedTest
    @CsvSource({
        "/%61dmin, /admin",
        "/%41dmin, /Admin",
        "/a%20b, '/a b'",
        "/caf%C3%A9, /café",
        "/%F0%9F%98%80, /😀",
        "/100%25, /100%",
        "/100%25/x, /100%/x",
        "/50%25%20off, '/50% off'",
        "/a%3Bb, /a;b",
        "/a%3Fb%23c, /a?b#c",
        "/%2Ehidden, /.hidden",
        "/a%2e, /a.",
    })
    void escapes_are_decoded_once(String raw, String canonical) {
        assertThat(CanonicalPath.of(raw)).isEqualTo(new Canonical(canonical, false));
    }

    @ParameterizedTest
    @CsvSource({
        "/a%2fb, /a%2Fb",
        "/admin%2F, /admin%2F",
        "/admin%5c, /admin%5C",
        "/%2fadmin, /%2Fadmin",
        "/fetch/http%3A%2F%2Fhost%2Fx, /fetch/http:%2F%2Fhost%2Fx",
    })
    void encoded_separators_stay_text_and_are_flagged(String raw, String canonical) {
        assertThat(CanonicalPath.of(raw)).isEqualTo(new Canonical(canonical, true));
    }

    @ParameterizedTest
    @CsvSource({
        "'', begin",
        "admin, begin",
        "*, begin",
        "http://host/admin, begin",
        "//admin, empty segment",
        "//, empty segment",
        "/a//b, empty segment",
        "/a//, empty segment",
        "/public/../admin, dot segment",
        "/public/%2e%2e/admin, dot segment",
        "/public/.%2E/admin, dot segment",
        "/public/%2e/admin, dot segment",
        "/public/./admin, dot segment",
        "/.., dot segment",
        "/., dot segment",
        "/a/.., dot segment",
        "/a/../, dot segment",
        "/public/..;/admin, dot segment",
        "/public/..;x=1/admin, dot segment",
        "/public/.;/admin, dot segment",
        "/public/..%3b/admin, dot segment",
        "/public/%2e%2e%3bx/admin, dot segment",
        "/public/..%2fadmin, dot segment",
        "/public/..%5cadmin, dot segment",
        "/public%2f..%2fadmin, dot segment",
        "/public%5c.%5cadmin, dot segment",
        "/\\admin, must be percent-encoded",
        "/public\\..\\admin, must be percent-encoded",
        "/a b, must be percent-encoded",
        "/a?b, must be percent-encoded",
        "/a#b, must be percent-encoded",
        "/a{b}, must be percent-encoded",
        "/café, must be percent-encoded",
        "/admin%00, control",
        "/admin%0d%0aX, control",
        "/admin%7F, control",
        "/admin%c2%85, control",
        "/%, malformed",
        "/%2, malformed",
        "/%zz, malformed",
        "/%u0041, malformed",
        "/%-1, malformed",
        "/%c0%ae%c0%ae/admin, UTF-8",
        "/%c0%af, UTF-8",
        "/%e0%80%af, UTF-8",
        "/%ed%a0%80, UTF-8",
        "/%ff, UTF-8",
        "/%f5%80%80%80, UTF-8",
        "/caf%e9, UTF-8",
        "/%c3, UTF-8",
        "/%252e%252e/admin, twice",
        "/a%252fb, twice",
        "/%2561dmin, twice",
        "/a%25%32%66b, twice",
        "/%25252f, twice",
        "/a%25%35%63, twice",
    })
    void whatever_could_mean_another_path_elsewhere_is_refused(String raw, String why) {
        assertThat(CanonicalPath.of(raw))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.why()).contains(why));
    }

    @Test
    void a_raw_control_character_is_refused() {
        for (char c = 0; c <= ' '; c++) assertThat(CanonicalPath.of("/a" + c)).isInstanceOf(Refused.class);
    }

    @Test
    void only_plain_paths_take_the_short_way() {
        assertThat(CanonicalPath.isPlain("/orders/1")).isTrue();
        assertThat(CanonicalPath.isPlain("/orders/%31")).isFalse();
        assertThat(CanonicalPath.isPlain("/.well-known")).isFalse();
        assertThat(CanonicalPath.isPlain("/orders;v=1")).isFalse();
        assertThat(CanonicalPath.isPlain("")).isFalse();
    }
}

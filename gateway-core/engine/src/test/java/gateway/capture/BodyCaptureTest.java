package gateway.capture;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.capture.BodyText.State;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyCaptureTest {
    private static final BodyMask MASK =
            new BodyMask(new ParameterMask(Set.of("token")), JsonMask.of(List.of("$.password")));
    private final BodyRoom room = new BodyRoom(100_000);

    @Test
    void keeps_a_body_that_comes_in_pieces() {
        var capture = BodyCapture.of(new BodyRule(16, ContentTypes.TEXT, BodyMask.NOTHING), "text/plain", "", room);
        ByteBuffer buffer = ByteBuffer.wrap("--hello, world--".getBytes(StandardCharsets.UTF_8));

        capture.add(buffer, 2, 7);
        capture.add(buffer, 9, 5);

        assertThat(buffer.position()).isZero();
        assertThat(capture.end(12, true).told()).isEqualTo(new BodyText(State.WHOLE, "hello, world"));
    }

    @Test
    void keeps_no_more_than_the_cap_and_says_so() {
        assertThat(told(rule(5, BodyMask.NOTHING), "text/plain", "hello, world"))
                .isEqualTo(new BodyText(State.TRUNCATED, "hello"));
        assertThat(told(rule(12, BodyMask.NOTHING), "text/plain", "hello, world"))
                .isEqualTo(new BodyText(State.WHOLE, "hello, world"));
    }

    @Test
    void a_character_that_is_cut_through_is_left_out() {
        assertThat(told(rule(2, BodyMask.NOTHING), "text/plain", "aé")).isEqualTo(new BodyText(State.TRUNCATED, "a"));
        assertThat(told(rule(8, BodyMask.NOTHING), "text/plain", "aé€😀"))
                .isEqualTo(new BodyText(State.TRUNCATED, "aé€"));
    }

    @Test
    void a_message_that_broke_off_is_not_whole() {
        var capture = BodyCapture.of(rule(100, BodyMask.NOTHING), "text/plain", "", room);
        capture.add(ByteBuffer.wrap(new byte[] {'a'}), 0, 1);

        assertThat(capture.end(1, false).told()).isEqualTo(new BodyText(State.TRUNCATED, "a"));
    }

    @Test
    void no_body_is_nothing() {
        var capture = BodyCapture.of(rule(100, BodyMask.NOTHING), "image/png", "gzip", room);

        assertThat(capture.end(0, true).told()).isEqualTo(BodyText.NONE);
    }

    @Test
    void what_is_no_text_is_left_out() {
        BodyRule all = new BodyRule(100, new ContentTypes(List.of("*/*")), BodyMask.NOTHING);
        byte[] latin = "é".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(told(all, "application/pdf", new byte[] {(byte) 0xc3, 0x28})).isEqualTo(leftOut(State.BINARY));
        assertThat(told(all, "", new byte[] {'a', 0, 'b', 0})).isEqualTo(leftOut(State.BINARY));
        assertThat(told(all, "text/plain", latin)).isEqualTo(leftOut(State.BINARY));
        assertThat(told(all, "text/plain; charset=\"ISO-8859-1\"", latin)).isEqualTo(new BodyText(State.WHOLE, "é"));
        assertThat(told(all, "text/plain;charset=utf-16", latin)).isEqualTo(leftOut(State.BINARY));
        assertThat(told(all, "application/json", "{\"password\":\"s\"}".getBytes(Charset.forName("UTF-16LE"))))
                .isEqualTo(leftOut(State.BINARY));
    }

    @Test
    void compressed_and_unlisted_bodies_are_left_out_and_take_no_room() {
        BodyRule rule = rule(100, BodyMask.NOTHING);
        var gzip = BodyCapture.of(rule, "text/plain", "gzip", room);
        var image = BodyCapture.of(rule, "image/png", "", room);

        gzip.add(ByteBuffer.wrap(new byte[10]), 0, 10);
        image.add(ByteBuffer.wrap(new byte[10]), 0, 10);

        assertThat(room.free()).isEqualTo(100_000);
        assertThat(gzip.end(10, true).told()).isEqualTo(leftOut(State.ENCODED));
        assertThat(image.end(10, true).told()).isEqualTo(leftOut(State.BINARY));
    }

    @Test
    void a_body_without_room_is_left_out_and_its_room_given_back() {
        var small = new BodyRoom(1000);
        var capture = BodyCapture.of(rule(10_000, BodyMask.NOTHING), "text/plain", "", small);
        ByteBuffer piece = ByteBuffer.wrap("a".repeat(600).getBytes(StandardCharsets.US_ASCII));

        capture.add(piece, 0, 600);
        assertThat(small.free()).isEqualTo(400);
        capture.add(piece, 0, 600);
        CapturedBody body = capture.end(1200, true);

        assertThat(body.told()).isEqualTo(leftOut(State.NO_ROOM));
        assertThat(small.free()).isEqualTo(1000);
        body.release();
        assertThat(small.free()).isEqualTo(1000);
    }

    @Test
    void room_is_given_back_by_whoever_takes_the_body() {
        var capture = BodyCapture.of(rule(10_000, BodyMask.NOTHING), "text/plain", "", room);
        for (int i = 0; i < 9; i++) capture.add(ByteBuffer.wrap(new byte[1000]), 0, 1000);
        CapturedBody body = capture.end(9000, true);
        assertThat(room.free()).isLessThanOrEqualTo(91_000);

        body.release();

        assertThat(room.free()).isEqualTo(100_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"application/json", "text/plain", "application/x-www-form-urlencoded", "application/problem+json"
            })
    void json_is_masked_whatever_it_is_called(String contentType) {
        assertThat(told(rule(100, MASK), contentType, "{\"password\": \"s3cret\", \"a\": 1}"))
                .isEqualTo(new BodyText(State.WHOLE, "{\"password\":\"***\",\"a\":1}"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/x-www-form-urlencoded               | a=1&token=s3cret     | a=1&token=***
            Application/X-WWW-Form-Urlencoded;charset=utf-8 | a=1&%74oken=s3cret   | a=1&%74oken=***
            """)
    void forms_are_masked_by_their_names(String contentType, String form, String expected) {
        assertThat(told(rule(100, MASK), contentType, form)).isEqualTo(new BodyText(State.WHOLE, expected));
    }

    @Test
    void a_form_cut_in_its_secret_shows_none_of_it() {
        assertThat(told(rule(14, MASK), "application/x-www-form-urlencoded", "a=1&token=s3cret&b=2"))
                .isEqualTo(new BodyText(State.TRUNCATED, "a=1&token=***"));
    }

    @Test
    void json_cut_in_its_secret_shows_none_of_it() {
        assertThat(told(rule(24, MASK), "application/json", "{\"a\": 1, \"password\": \"s3cret\"}"))
                .isEqualTo(new BodyText(State.TRUNCATED, "{\"a\":1,\"password\":\"***\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            application/json                  | {"password": "s3cret"
            application/json                  | {'password': 's3cret'}
            text/plain                        | password: s3cret
            application/xml                   | <password>s3cret</password>
            application/x-www-form-urlencoded | {'password': 's3cret'}
            application/x-www-form-urlencoded | {password: s3cret}
            multipart/form-data               | {"password": "s3cret"}
            """)
    void what_cannot_be_searched_is_left_out(String contentType, String body) {
        BodyRule rule = new BodyRule(100, new ContentTypes(List.of("*/*")), MASK);

        assertThat(told(rule, contentType, body)).isEqualTo(leftOut(State.UNMASKABLE));
    }

    @Test
    void parameters_alone_mask_every_text() {
        var mask = new BodyMask(new ParameterMask(Set.of("token")), JsonMask.NOTHING);

        assertThat(told(rule(100, mask), "text/plain", "token=s3cret"))
                .isEqualTo(new BodyText(State.WHOLE, "token=***"));
        assertThat(told(rule(100, mask), "application/json", "{\"a\": 1}"))
                .isEqualTo(new BodyText(State.WHOLE, "{\"a\": 1}"));
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, Application/JSON; charset=utf-8, true",
        "application/json, application/jsonx, false",
        "text/*, text/csv, true",
        "text/*, text/, false",
        "application/*+json, application/problem+json, true",
        "application/*+json, application/json, false",
        "*/*, image/png, true",
    })
    void types_are_matched(String pattern, String type, boolean admitted) {
        assertThat(ContentTypes.isPattern(pattern)).isTrue();
        assertThat(new ContentTypes(List.of(pattern)).admits(type)).isEqualTo(admitted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "*", "text/", "a b/c", "*/json", "text/plain; charset=utf-8", ""})
    void no_type_is(String pattern) {
        assertThat(ContentTypes.isPattern(pattern)).isFalse();
    }

    private BodyText told(BodyRule rule, String contentType, String body) {
        return told(rule, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    private BodyText told(BodyRule rule, String contentType, byte[] body) {
        var capture = BodyCapture.of(rule, contentType, "", room);
        capture.add(ByteBuffer.wrap(body), 0, body.length);
        return capture.end(body.length, true).told();
    }

    private static BodyRule rule(int most, BodyMask mask) {
        return new BodyRule(most, ContentTypes.TEXT, mask);
    }

    private static BodyText leftOut(State why) {
        return new BodyText(why, "");
    }
}

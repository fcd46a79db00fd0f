package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.policies.identity.StructuredField.Member;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class StructuredFieldTest {
    private static final String[] PIECES = {
        "a",
        "b",
        "sig1",
        "*",
        "=",
        "(",
        ")",
        "\"",
        "\"x\"",
        "\\",
        ";",
        ",",
        ", ",
        " ",
        "\t",
        ":",
        ":AA==:",
        ":AAA:",
        "?",
        "?1",
        "?0",
        "0",
        "-",
        "-0",
        "007",
        "1.50",
        "1.",
        "123456789012345",
        "1234567890123456",
        "T/k:n",
        "A",
        "é",
        "\u0000",
        "@method",
        "keyid",
        "created",
        "%",
        "'",
        "()",
        "(\"a\" \"b\")"
    };

    @Test
    void reads_all_kinds_and_writes_them_in_one_way() {
        assertThat(
                        written(
                                "a=1,  b=-0;x;y=?0 ,\tc=\"q\\\"\\\\\", d=:AQI=:, e=tok/en:x;p=1.50, f, g=?0, h=( \"a\"   b;c=2 );z"))
                .isEqualTo("a=1, b=0;x;y=?0, c=\"q\\\"\\\\\", d=:AQI=:, e=tok/en:x;p=1.5, f=?1, g=?0,"
                        + " h=(\"a\" b;c=2);z");
        assertThat(StructuredField.dictionary(List.of("a=1", "", "b=2"))).containsOnlyKeys("a", "b");
        assertThat(StructuredField.dictionary(List.of())).isEmpty();
    }

    @Test
    void refuses_what_two_readers_could_read_in_two_ways() {
        for (String text : List.of(
                "a=1, a=2", // twice
                "a;x=1;x=2",
                "a=1,", // nothing behind the comma
                ",a=1",
                "a=1 b=2",
                "A=1", // no name
                "1=1",
                "a=",
                "a=\"x",
                "a=\"\\x\"",
                "a=\"\u007f\"",
                "a=\"\u00e9\"",
                "a=:AA=", // not ended
                "a=:AB==:", // other bits than an encoder leaves
                "a=:AA:", // not padded
                "a=:A-==:",
                "a=?2",
                "a=1234567890123456",
                "a=1.",
                "a=1.2345",
                "a=--1",
                "a=(\"x\"\"y\")",
                "a=(\"x\",\"y\")",
                "a=(\"x\"\t\"y\")",
                "a=(\"x\"",
                "a=((\"x\"))",
                "a=@1618884473", // a date of RFC 9651
                "a=%\"x\"",
                "\ta=1",
                "a=\"" + "x".repeat(20_000) + '"')) {
            assertThatThrownBy(() -> StructuredField.dictionary(List.of(text)))
                    .as(text)
                    .isInstanceOf(BadSignatureException.class);
        }
        assertThatThrownBy(() -> StructuredField.dictionary(List.of("a=1", "a=1")))
                .isInstanceOf(BadSignatureException.class);
    }

    @Test
    void the_order_of_parameters_makes_no_other_item() {
        Map<String, Member> read = StructuredField.dictionary(List.of("a=\"x\";p=1;q=2, b=\"x\";q=2;p=1"));

        assertThat(read.get("a")).isEqualTo(read.get("b"));
    }

    @Property(tries = 20_000)
    void whatever_comes_is_refused_or_written_so_that_it_is_read_as_the_same(@ForAll("texts") String text) {
        Map<String, Member> read;
        try {
            read = StructuredField.dictionary(List.of(text));
        } catch (BadSignatureException e) {
            return; // the only thing it may throw
        }
        String written = written(read);

        assertThat(StructuredField.dictionary(List.of(written))).isEqualTo(read);
        assertThat(written(written)).isEqualTo(written);
    }

    @Property(tries = 20_000)
    void parameters_of_the_draft_are_refused_or_there_once(@ForAll("draftTexts") String text) {
        try {
            assertThat(DraftParameters.parse(text).values())
                    .isNotEmpty()
                    .allSatisfy((_, value) -> assertThat(value).doesNotContain("\""));
        } catch (BadSignatureException e) {
            assertThat(e.flaw()).isEqualTo(SignatureFlaw.MALFORMED);
        }
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of(PIECES).list().ofMaxSize(14).map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<String> draftTexts() {
        return Arbitraries.of(
                        "keyId",
                        "headers",
                        "signature",
                        "algorithm",
                        "created",
                        "=",
                        "=\"",
                        "\"",
                        ",",
                        " ",
                        "x",
                        "1",
                        "\\",
                        "keyId=\"a\"",
                        "headers=\"date\"",
                        ",signature=\"AA==\"",
                        "é")
                .list()
                .ofMaxSize(10)
                .map(pieces -> String.join("", pieces));
    }

    private static String written(String text) {
        return written(StructuredField.dictionary(List.of(text)));
    }

    private static String written(Map<String, Member> members) {
        return members.entrySet().stream()
                .map(each -> {
                    var text = new StringBuilder(each.getKey()).append('=');
                    each.getValue().write(text);
                    return text.toString();
                })
                .collect(Collectors.joining(", "));
    }
}

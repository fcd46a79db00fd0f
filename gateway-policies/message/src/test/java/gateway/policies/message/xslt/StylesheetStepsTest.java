package gateway.policies.message.xslt;

import static gateway.policies.message.PolicyRun.told;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What one step within an expression may take, between two looks at the clock.
@Timeout(60)
final class StylesheetStepsTest {
    private static final String MARKS = "\u0301\u0316";

    /// The JDK sorts them by a square of their number: 468 KB held a worker for longer than `timeout`.
    @Test
    void a_message_has_few_combining_marks_in_a_row() {
        PolicyRun run = run("string-length(normalize-unicode(/r))", "");
        String most = "a" + MARKS.repeat(500);

        for (String xml : new String[] {
            "<r>" + most.repeat(100) + "</r>", "<r b='" + most + "'>" + ("<b>" + most + "</b>").repeat(100) + "</r>"
        }) {
            assertThat(told(post(run, xml))).isEqualTo("200");
        }
        for (String xml : new String[] {
            "<r>" + MARKS.repeat(117_000) + "</r>",
            "<r>" + most + "<!-- -->\u0301</r>",
            "<r b='" + most + "\u0301'/>",
            "<r>a" + "\ud834\udd65".repeat(1_001) + "</r>",
            "<r>" + ("<b>" + MARKS.repeat(500) + "</b>").repeat(11) + "</r>"
        }) {
            Response answer = post(run, xml);
            assertThat(told(answer)).isEqualTo("400 content-too-complex");
            assertThat(PolicyRun.text(answer)).contains("combining marks in a row");
        }
    }

    /// Of numbers of the caller's, each of which may be taken: 4.8 s and more, whatever `timeout` says.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "fold-left(/r/n, xs:decimal(1), function($a, $b) { $a * xs:decimal($b) }) &gt; 0",
                "fold-left(/r/n, 1, function($a, $b) { ($a * xs:integer($b)) }) &gt; 0",
                "for-each(/r/n[1], function($n) { let $a := xs:integer($n), $b := $a * $a, $c := $b * $b,"
                        + " $d := $c * $c, $e := $d * $d return $e }) &gt; 0"
            })
    void what_is_calculated_has_few_digits(String expression) {
        String numbers = "<r>" + ("<n>" + "7".repeat(1_000) + "</n> ").repeat(460) + "</r>";

        Response answer = post(run(expression, ", \"timeout\": \"30s\""), numbers);

        assertThat(told(answer)).isEqualTo("500 policy-failed");
        assertThat(PolicyRun.text(answer)).contains("FOAR0002");
    }

    @Test
    void what_is_calculated_with_few_digits_is_what_it_was() {
        PolicyRun run = run(
                "fold-left(/r/n, 1, function($a, $b) { $a * xs:integer($b) }), 7 idiv 2, -(3) + 1.5, 2 * xs:double('1e3'),"
                        + " 5 mod 3, /r/n[2 - 1], sum(/r/n ! (. + 1)), count(/r/missing + 1)",
                "");

        assertThat(told(post(run, "<r><n>6</n><n>7</n></r>"))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("<n>42 3 -1.5 2000 2 6 15 0</n>");
    }

    /// Was 500 `internal-error`, since the JDK links a call where no stack is left.
    @Test
    void json_that_is_nested_too_deeply_fails_as_the_stylesheet_does() {
        PolicyRun run = run("parse-json(/r) ! ?*", "");

        assertThat(told(post(run, "<r>" + "[".repeat(400_000) + "</r>"))).isEqualTo("500 policy-failed");
        assertThat(told(post(run, "<r>[1, 2]</r>"))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo("<n>1 2</n>");
    }

    private static PolicyRun run(String expression, String more) {
        var services = new FakeServices();
        services.putResource("s.xsl", """
                <xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform' version='3.0'
                    xmlns:xs='http://www.w3.org/2001/XMLSchema' exclude-result-prefixes='xs'>
                  <xsl:output omit-xml-declaration='yes'/>
                  <xsl:template match='/'><n><xsl:value-of select="EXPRESSION"/></n></xsl:template>
                </xsl:stylesheet>""".replace("EXPRESSION", expression));
        return PolicyRun.of("{\"type\": \"xslt\", \"stylesheet\": {\"resource\": \"s.xsl\"}" + more + "}", services);
    }

    private static Response post(PolicyRun run, String xml) {
        return run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/xml")
                .body(xml));
    }
}

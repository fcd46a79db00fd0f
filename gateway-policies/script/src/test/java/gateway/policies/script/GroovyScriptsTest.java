package gateway.policies.script;

import static gateway.policies.script.ScriptRun.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.sun.management.ThreadMXBean;
import gateway.http.Response;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GroovyScriptsTest {
    private static final String GROOVY = "\"language\": \"groovy\", \"time\": \"1s\"";

    @Test
    void changes_what_the_upstream_gets() {
        var run = ScriptRun.with(GROOVY + ", \"body\": \"json\"", """
                def order = request.body
                order.total = order.items*.price.sum()
                request.body = order
                request.headers['X-Total'] = "${order.total}"
                request.query.page = 2
                vars.count = order.items.size() + (0..<3).sum()
                """);

        assertThat(run.post("{\"items\":[{\"price\":2},{\"price\":3.5}]}").status())
                .isEqualTo(200);

        assertThat(run.arrived()).isEqualTo("{\"items\":[{\"price\":2},{\"price\":3.5}],\"total\":5.5}");
        assertThat(run.last().headers().first("X-Total")).contains("5.5");
        assertThat(run.last().outgoing().query()).isEqualTo("page=2");
        assertThat(run.variable("count")).isEqualTo("5");
    }

    @Test
    void a_number_with_a_huge_exponent_is_infinite_or_zero() {
        var run = ScriptRun.with(
                GROOVY + ", \"body\": \"json\"", "vars.sum = request.body.sum { it }; vars.is = request.body[0]");

        run.post("[1e1000000000,1]");
        assertThat(run.variable("sum")).isEqualTo("Infinity");
        run.post("[1e-1000000000,1.5]");
        assertThat(run.variable("is")).isEqualTo("0.0");
    }

    @Test
    void changes_answers_and_ends_messages() {
        var both = ScriptRun.with(GROOVY + ", \"on\": \"both\", \"body\": \"text\"", """
                if (response == null) vars.asked = request.method
                else { response.body = response.body.reverse() + vars.asked; response.status = 201 }
                """);
        both.answering(Response.of(200, "text/plain", "abc".getBytes(StandardCharsets.UTF_8)));

        Response changed = both.get();
        Response stopped =
                ScriptRun.with(GROOVY, "stop(403, [a: 1], ['X-By': 'script'])").get();
        Response failed = ScriptRun.with(GROOVY, "fail('no')").get();

        assertThat(changed.status() + text(changed)).isEqualTo("201cbaGET");
        assertThat(stopped.status() + text(stopped) + stopped.reason()).isEqualTo("403{\"a\":1}script-refused");
        assertThat(failed.status() + failed.reason()).isEqualTo("422invalid-content");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Grab('a:b:1') import a.b",
                "@groovy.transform.ASTTest(value = { System.exit(1) }) def a = 1",
                "'ls'.execute()",
                "['ls', '-l'].execute()",
                "System.exit(0)",
                "java.lang.System.exit(0)",
                "Class.forName('java.lang.Runtime')",
                "Runtime.runtime.exec('ls')",
                "new Thread({ while (true) {} }).start()",
                "Thread.start { }",
                "new GroovyShell().parse('1')",
                "Eval.me('1')",
                "evaluate('1')",
                "class Kept { static List seen = [] }",
                "class Kept { private static int n }",
                "Locale.setDefault(Locale.GERMANY)",
                "Locale.default = Locale.GERMANY",
                "TimeZone.setDefault(null)",
                "java.util.TimeZone.default = null",
                "java.util.concurrent.CompletableFuture.runAsync { }",
                "vars.f.thenRunAsync { }",
                "[1].parallelStream()",
                "new File('/etc/passwd').text",
                "''.class",
                "''.getClass().getClassLoader()",
                "import java.io.File",
                "import static java.lang.System.exit",
                "'a'.\"${'toString'}\"()",
                "(~/a/).asPredicate()",
                "vars.a.&matches",
                "vars.a - ~/a/",
                "vars.a -= ~/a/",
                "vars.a.&find",
                "vars.a.&findAll",
                "String::find",
                "(~/a/).&isCase",
                "import static java.util.regex.Pattern.matches",
                "import java.util.Scanner as S",
                "new Scanner(vars.a)",
                "this.binding",
                "def x = ("
            })
    void is_refused_with_its_place_when_it_does_what_no_script_may(String source) {
        assertThatThrownBy(() -> ScriptRun.with(GROOVY, source))
                .hasMessageContaining("/policies/0/source: expected a script in Groovy: line 1, column ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "while (true) {}                                      | instructions",
                "for (i in 0..<2000000000) {}                         | instructions",
                "do {} while (true)                                   | instructions",
                "(1..2000000000).each { }                             | instructions",
                "def f(n) { n < 2 ? n : f(n - 1) + f(n - 2) }; f(90)  | instructions",
                "def f() { f() + 1 }; f()                             | depth",
                "def a = []; while (true) a << 'x' * 10000            | memory",
                "try { while (true) {} } catch (Throwable t) { }      | instructions",
                "throw new IllegalStateException('secret')            | error",
                "assert 1 == 2                                        | error",
                "nobody.there                                         | error",
                "request.headers['Content-Length'] = 1                | error",
            })
    void a_run_without_an_end_of_its_own_is_500(String source, String reason) {
        var run = ScriptRun.with(GROOVY + ", \"instructions\": 1000000, \"memory\": \"16MiB\"", source);

        Response answer = run.get();

        assertThat(answer.status() + " " + answer.reason()).isEqualTo("500 policy-failed");
        assertThat(text(answer)).contains(reason).doesNotContain("secret");
    }

    /// Forty letters over which it goes back and forth for hours. `(a+)+$` does not: Java remembers where that failed.
    @ParameterizedTest
    @Timeout(20)
    @ValueSource(
            strings = {
                "text ==~ regex",
                "text =~ regex ? 1 : 0",
                "(text =~ regex).find()",
                "def m = text =~ regex; m.reset(text); m.find()",
                "text.matches(regex)",
                "text?.matches(regex)",
                "[text]*.matches(regex)",
                "text.replaceAll(regex, '')",
                "text.replaceAll(~regex) { 'x' }",
                "text.replaceFirst(regex) { 'x' }",
                "text.find(regex) { 'x' }",
                "text.findAll(regex) { 'x' }",
                "text.replaceFirst(regex, '')",
                "text.split(regex)",
                "text.find(regex)",
                "text.findAll(regex)",
                "text.eachMatch(regex) { }",
                "\"${text}\".matches(regex)",
                "java.util.regex.Pattern.compile(regex).matcher(text).find()",
                "java.util.regex.Pattern.matches(regex, text)",
                "(~regex).split(text)",
                "switch (text) { case ~regex: vars.b = '1' }",
                "text in ~regex",
                "[text].grep(~regex)",
                "[1].each { text ==~ regex }",
                "text.minus(~regex)",
                "(~regex).isCase(text)",
                "def f(a, b = a ==~ '(.*a){20}b') { b }; f(text)",
            })
    void a_regular_expression_that_goes_back_and_forth_ends_with_its_script(String source) {
        var run = ScriptRun.with(
                GROOVY, "def text = 'a' * 40; def regex = '(.*a){20}b'; " + source + "; vars.a = 'ended'");

        Response answer = run.get();

        assertThat(answer.status() + " " + answer.reason()).isEqualTo("500 policy-failed");
        assertThat(text(answer)).containsAnyOf("instructions", "time");
    }

    /// Loops over nothing look at no character that would count.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "text ==~ /(?:(?:){2000000000}){2000000000}/",
                "text ==~ /((){1000}){1001}/",
                "text.find(~/(){99999999999}/)"
            })
    void a_regular_expression_that_repeats_too_often_is_an_error(String source) {
        Response answer = ScriptRun.with(GROOVY, "def text = 'a'; " + source).get();

        assertThat(answer.status() + " " + answer.reason()).isEqualTo("500 policy-failed");
    }

    @Test
    void characters_that_become_several_take_no_square_of_their_number() {
        var run = ScriptRun.with(
                GROOVY, "vars.a = '' + ('\u00df' * 200000).toUpperCase().length() + 'A\u03a3 b'.toLowerCase()");

        assertTimeout(Duration.ofSeconds(2), run::get);
        assertThat(run.variable("a")).isEqualTo("400000a\u03c2 b");
    }

    @Test
    void regular_expressions_say_what_they_say_elsewhere() {
        var run = ScriptRun.with(GROOVY, """
                def text = 'one two  three'
                def found = []
                def m = text =~ /(t)(\\w+)/
                found << m.find() << m[0][2] << m.count << (text ==~ /one.*/) << ('' ==~ /a/) << (null ==~ /a/)
                found << text.matches('.*three') << text.replaceAll(/t(\\w)/, '$1T') << text.replaceFirst('o', '0')
                found << text.replaceAll(/\\w+/) { it.size() } << text.split(' ').toList() << text.split().toList()
                found << text.split(' ', 2).size() << text.find(/t\\w+/) << text.findAll(/t\\w+/)
                found << text.find(/(t)(w)/) { all, t, w -> w } << text.find { it > 'm' } << [3, 4].find { it > 3 }
                found << [3, 4].findAll { it > 3 } << ['a', 'b1'].grep(~/.\\d/) << [1, 'a'].grep(String)
                found << ('b1' in ~/.\\d/) << ('x' in ['x', 'y']) << ('x' !in ['x']) << (~/b/).matcher('abc').find()
                switch (text) { case 'one': found << 0; break; case ~/one.*/: found << 'case'; break; default: found << 1 }
                found << text.replaceAll(/(o)(n)/) { all, o, n -> n + o } << text.replaceAll(/(o)(n)/) { it[2] + '$1' }
                found << text.replaceFirst(/t/) { it.toUpperCase() } << text.findAll(/(t)(.)/) { all, t, c -> c }
                def seen = []; text.eachMatch(/t(.)/) { seen << it[1] }; found << seen << text.find(/z/)
                def none = null
                found << none?.matches('a') << ['a', null]*.matches('a') << java.util.regex.Pattern.matches('a', 'a')
                def list = ['a', 'b']; list.replaceAll { it + it }
                vars.a = (found + list).join('|')
                """);

        assertThat(run.get().status()).isEqualTo(200);

        assertThat(run.variable("a"))
                .isEqualTo("true|wo|2|true|false|false|true|one wTo  hTree|0ne two  three|3 3  5|[one, two, , three]|"
                        + "[one, two, three]|2|two|[two, three]|w|o|4|[4]|[b1]|[a]|true|true|false|true|case|"
                        + "noe two  three|n$1e two  three|one Two  three|[w, h]|[w, h]|null|null|"
                        + "[true, null]|true|aa|bb");
    }

    @Test
    void an_end_that_is_caught_is_an_end_still() {
        assertThat(ScriptRun.with(GROOVY, "try { stop(204) } catch (Throwable t) { vars.a = 'caught' }")
                        .get()
                        .status())
                .isEqualTo(204);
    }

    @Test
    void functions_are_there() {
        var run = ScriptRun.with(GROOVY, """
                vars.a = hash('abc').substring(0, 8) + hmac('Jefe', 'what do ya want for nothing?').substring(0, 8) +
                    same('a', 'a') + uuid().size() + (now() > 1) + jwtClaims('e30.eyJzdWIiOiJ4In0.c').sub
                """);
        run.get();

        assertThat(run.variable("a")).isEqualTo("ba7816bf5bdcc146true36truex");
    }

    private static final String LONG = "def s = request.body, t = s.reverse(), m = [:], l = [t]\n";

    /// As many as a method holds: between statements what is used up is looked at.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s == t",
                "s <=> t",
                "s < t",
                "s in l",
                "s as double",
                "s.toDouble()",
                "\"${s}\" == \"${t}\"",
                "m[\"${s}\" as String]",
                "switch (s) { case t: break }",
                "s + t",
                "s =~ 'a'",
                "s ==~ 'a'",
                "s.reverse()",
                "try { s as int } catch (e) { }",
                "try { s as BigDecimal } catch (e) { }",
                "try { s.toBigInteger() } catch (e) { }",
                "try { l*.toBigInteger() } catch (e) { }",
                "try { new BigInteger(s) } catch (e) { }",
                "l.each { try { it as BigInteger } catch (e) { } }",
                "try { s.isNumber() } catch (e) { }"
            })
    void a_straight_line_over_long_texts_ends_with_its_bounds(String step) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var run = ScriptRun.with(
                "\"language\": \"groovy\", \"time\": \"50ms\", \"memory\": \"64MiB\", \"body\": \"text\"",
                LONG + (step + "\n").repeat(300) + "vars.over = '1'");
        for (int i = 0; i < 2; i++) { // the first run finds out what it calls
            long memory = threads.getCurrentThreadAllocatedBytes();
            long time = threads.getCurrentThreadCpuTime();

            run.post("7".repeat(1_048_570));

            assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - time))
                    .isLessThan(Duration.ofMillis(500));
            assertThat(threads.getCurrentThreadAllocatedBytes() - memory).isLessThan(2 * (64L << 20));
        }
    }

    @Test
    void what_it_throws_is_told_by_its_line() {
        var run = ScriptRun.with(GROOVY, "def a = 1\nthrow new IllegalStateException('secret')");

        assertThat(text(run.get())).contains("threw an error in line 2").doesNotContain("secret");
    }

    @Test
    void numbers_are_made_of_texts_that_are_not_too_long() {
        var run = ScriptRun.with(
                GROOVY,
                "vars.a = [('1' * 30) as BigDecimal, '2'.toBigInteger(), new BigDecimal('3'), '4'.isNumber(), 5 as BigDecimal,"
                        + " ['6']*.toBigDecimal(), '7'.asType(BigInteger)].toString()");

        run.get();

        assertThat(run.variable("a")).isEqualTo("[" + "1".repeat(30) + ", 2, 3, true, 5, [6], 7]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "({ x = s as BigDecimal -> x })()",
                "({ a, x = s.toBigInteger() -> x })(1)",
                "({ x = new BigInteger(s) -> x })()",
                "({ x = { y = s.toBigDecimal() -> y }() -> x })()",
                "({ x = [s]*.toBigInteger() -> x })()",
            })
    void the_usual_values_of_parameters_make_no_number_of_a_text_that_is_too_long(String step) {
        var run = ScriptRun.with(
                GROOVY + ", \"body\": \"text\"", "def s = request.body; def made = " + step + "; vars.over = '1'");

        run.post("7".repeat(100));
        assertThat(run.variable("over")).isEqualTo("1");

        assertThat(run.post("7".repeat(10_001)).status()).isEqualTo(500);
        assertThat(run.variable("over")).isEmpty();
    }
}

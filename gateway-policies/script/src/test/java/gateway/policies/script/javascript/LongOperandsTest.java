package gateway.policies.script.javascript;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gateway.http.Body;
import gateway.http.ContentCodings;
import gateway.http.Exchanges;
import gateway.http.Headers;
import gateway.http.UpstreamWaiter;
import gateway.json.InvalidConfigException;
import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptBounds;
import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptFailedException;
import gateway.policies.script.run.ScriptLog;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptProgram;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.policy.FakeServices;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Operators over texts of a million characters, in a straight line: Rhino itself looks at bounds where a run branches.
final class LongOperandsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final FakeServices SERVICES = new FakeServices();
    private static final int TIMES = 300;
    private static final ScriptBounds BOUNDS = new ScriptBounds(Duration.ofMillis(10), 10_000_000, 32 << 20);
    private static final Duration MOST_TIME = BOUNDS.time().plusMillis(150);
    private static final long MOST_MEMORY = 2 * BOUNDS.memory();

    /// What a script may do with a text `S`.
    private static final List<String> STEPS = List.of(
            "S == 1",
            "1 == S",
            "S != 1",
            "S == true",
            "S == t",
            "S != t",
            "S === t",
            "S !== t",
            "S == w",
            "w == S",
            "S < 1",
            "1 < S",
            "S <= t",
            "S > 1",
            "S >= t",
            "S < w",
            "w >= 1",
            "w == 1",
            "+S",
            "-S",
            "~S",
            "!S",
            "typeof S",
            "void S",
            "S * 1",
            "1 / S",
            "S % 1",
            "S - 1",
            "S ** 1",
            "S << 1",
            "S >> 1",
            "S >>> 1",
            "1 >>> S",
            "S & 1",
            "1 | S",
            "S ^ 1",
            "+w",
            "w | 0",
            "1 >>> w",
            "v = S; v++",
            "v = S; --v",
            "v = S; v += 1",
            "v = S; v -= 1",
            "v = S; v |= 1",
            "v = 1; v <<= S",
            "o.a = S; o.a++",
            "o.a = S; --o.a",
            "o[k] = S; o[k]++",
            "o[0] = S; o[0]--",
            "o.a = S; o.a -= 1",
            "S + 1",
            "1 + S",
            "w + 1",
            "`${S}`",
            "`${w}`",
            "f`${S}`",
            "S.length",
            "S[0]",
            "S['0']",
            "S[k]",
            "S?.length",
            "o[S]",
            "o?.[S]",
            "o[S] = 1",
            "o[S]++",
            "o[w]",
            "o[w] = 1",
            "a[S]",
            "a[S] = 1",
            "t[S]",
            "g[S]",
            "delete o[S]",
            "delete o[w]",
            "S in o",
            "w in o",
            "S in vars",
            "o[S] = f; o[S]()",
            "try { o[S](); } catch (e) {}",
            "o = {[S]: 1}",
            "o = {[S]() {}}",
            "o = {get [S]() { return 1; }}",
            "o = {S}",
            "try { [...S]; } catch (e) {}",
            "try { for (let c of S) break; } catch (e) {}",
            "try { for (let c in S) break; } catch (e) {}",
            "try { Object.keys(S); } catch (e) {}",
            "try { S instanceof f; } catch (e) {}",
            "try { null[S]; } catch (e) {}",
            "try { S(); } catch (e) {}",
            "try { S.x(); } catch (e) {}",
            "try { new S(); } catch (e) {}",
            "try { throw S; } catch (e) { v = e; }",
            "try { a.length = S; } catch (e) {}",
            "try { a['length'] = S; } catch (e) {}",
            "try { vars[S] = 1; } catch (e) {}",
            "try { vars.a = S; } catch (e) {}",
            "try { delete vars[S]; } catch (e) {}",
            "vars[S]",
            "request.headers[S]",
            "request.headers.a = S",
            "request.query[S]",
            "request.query.a = S",
            "request.cookies[S]",
            "request.body = S",
            "switch (S) { case t: v = 1; }",
            "switch (t) { case S: v = 1; }",
            "if (S) v = 1",
            "v = S || 1",
            "v = S ?? 1",
            "v = S ? 1 : 2",
            "v = [S]",
            "v = [S] == 1",
            "v = [S] + 1",
            "v = {toString() { return S; }} < 1",
            "v = +{valueOf() { return S; }}",
            "o[{toString() { return S; }}]",
            "eval(S)",
            "f(S)",
            "Number(S)",
            "String(S)",
            "Boolean(S)",
            "new Number(S)",
            "new String(S)",
            "isNaN(S)",
            "parseInt(S)",
            "parseFloat(S)",
            "Math.max(S)",
            "Math.abs(S)",
            "(1).toFixed(1, S)",
            "Number([S])",
            "String([S])",
            "[S].join()",
            "S.charAt(0)",
            "S.charCodeAt(0)",
            "S.slice(1)",
            "S.substring(1)",
            "S.trim()",
            "S.startsWith('a')",
            "S.startsWith(t)",
            "S.indexOf('a')",
            "S.replace('a', 'b')",
            "S.valueOf()",
            "S.toString()",
            "'a'.concat(S)",
            "'a'.charAt(S)",
            "'a'.localeCompare(S)",
            "m.get(S)",
            "m.set(S, 1)",
            "m.has(S)",
            "a.indexOf(S)",
            "o.hasOwnProperty(S)",
            "Object.is(S, t)",
            "/a/.test(S)",
            "Symbol(S)",
            "new Error(S)",
            "hash(S)",
            "base64.encode(S)");

    private static final String MADE = """
            let t = '7'.repeat(1048570), k = '0', v, o = {}, a = [], m = new Map(), g = [1, 2], f = function () {};
            let s = request.body, w = new String(%s), eval = Number;
            """;
    private static final int LONGEST = 1 << 20; // of texts
    private static final List<String> TEXTS = List.of("7".repeat(LONGEST - 10), " ".repeat(LONGEST - 10) + "\u00fc");

    private record Spent(String step, Duration time, long memory, String end) {
        boolean isTooMuch() {
            return time.compareTo(MOST_TIME) > 0 || memory > MOST_MEMORY;
        }
    }

    @Test
    void end_within_their_bounds() {
        assertThat(tooMuch("s", false)).isEmpty();
    }

    /// Laid out by whatever reads it. Within a function Rhino makes other classes of what it has than without.
    @Test
    void end_within_their_bounds_when_texts_are_put_together_each_time() {
        assertThat(tooMuch("(s + '7777')", true)).isEmpty();
    }

    @Test
    void an_operator_takes_of_a_budget_what_it_looks_at() {
        String made = MADE.formatted("s");

        assertThat(end(made + "s === 'a'; s == undefined; s === null; s < 'a'; s != null; s[7]; s.length;"))
                .isEqualTo("its own");
        assertThat(end(made + "s + s + s + s + s + s;")).contains("RangeError");
        assertThat(end(made + "s == 1;")).isEqualTo("the script was stopped: instructions");
        assertThat(end(made + "s > t;")).isEqualTo("the script was stopped: instructions");
        assertThat(end(made + "s | 0;")).isEqualTo("the script was stopped: instructions");
        assertThat(end(made + "s in o;")).isEqualTo("the script was stopped: instructions");
        assertThat(end(made + "o[s];")).isEqualTo("the script was stopped: instructions");
        assertThat(end("let s = request.body + 'a', n = 0; for (let i = 0; i < 100; i++) if (s[i] == '7') n++;"))
                .isEqualTo("its own");
    }

    private static String end(String source) {
        var bounds = new ScriptBounds(Duration.ofSeconds(1), 100_000, 32 << 20);
        return spent(JavaScript.compile(source, SERVICES), source, TEXTS.getFirst(), bounds)
                .end();
    }

    private static List<Spent> tooMuch(String operand, boolean withinFunction) {
        var found = new ArrayList<Spent>();
        for (String each : STEPS) {
            if (each.contains("{S}") && !operand.equals("s")) continue; // no name
            String step = each.replaceAll("\\bS\\b", operand) + ";\n";
            ScriptProgram program = straightLine(MADE.formatted(operand), step, withinFunction);
            for (String text : TEXTS) {
                Spent spent = spent(program, each, text, BOUNDS);
                if (spent.isTooMuch()) found.add(spent);
            }
        }
        return found;
    }

    /// As many of them as a method holds.
    private static ScriptProgram straightLine(String made, String step, boolean withinFunction) {
        for (int times = TIMES; ; times /= 2) {
            String lines = made + step.repeat(times);
            try {
                return JavaScript.compile(withinFunction ? "(function () {\n" + lines + "})();" : lines, SERVICES);
            } catch (InvalidConfigException e) {
                if (!String.valueOf(e.getMessage()).contains("too long")) throw e;
            }
        }
    }

    private static Spent spent(ScriptProgram program, String step, String text, ScriptBounds bounds) {
        var clock = SERVICES.clock();
        var exchange = Exchanges.of("POST", "/items?a=b").with("X-A", "b").make();
        exchange.outgoing()
                .replaceBody(Body.of(text.getBytes(StandardCharsets.UTF_8))
                        .undone(ContentCodings.ENGINE, Headers.create(), 1 << 21, UpstreamWaiter.NOBODY));
        var message = ScriptMessage.ofRequest(exchange, ScriptBody.TEXT, clock, new ScriptLog("a", clock));
        long time = THREADS.getCurrentThreadCpuTime();
        long memory = THREADS.getCurrentThreadAllocatedBytes();
        String end = "its own";
        try {
            program.run(message, ScriptBudget.begin(bounds));
        } catch (ScriptStoppedError | ScriptFailedException e) {
            end = String.valueOf(e.getMessage());
        }
        return new Spent(
                step,
                Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - time),
                THREADS.getCurrentThreadAllocatedBytes() - memory,
                end);
    }
}

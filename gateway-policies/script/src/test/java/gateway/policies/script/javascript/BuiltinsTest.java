package gateway.policies.script.javascript;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import gateway.http.Exchanges;
import gateway.policies.script.run.ScriptBody;
import gateway.policies.script.run.ScriptBounds;
import gateway.policies.script.run.ScriptBudget;
import gateway.policies.script.run.ScriptEndedError;
import gateway.policies.script.run.ScriptLog;
import gateway.policies.script.run.ScriptMessage;
import gateway.policies.script.run.ScriptStoppedError;
import gateway.service.ManualClock;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Function;
import org.mozilla.javascript.NativeArray;
import org.mozilla.javascript.RhinoException;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/// All that a script reaches, walked.
final class BuiltinsTest {
    /// One value of each kind that a script can make.
    private static final String SAMPLES = """
            [[], {}, 'a', 1, true, null, Symbol(), /a/g, /a/.exec('a'), new Map(), new Set(), new Error('a'),
             function () {}, () => 1, function* () {}, (function* () {})(), (function () { return arguments; })(),
             [].values(), [].entries(), 'a'[Symbol.iterator](), new Map().entries(), new Set().values(),
             new String('a'), new Number(1), new Boolean(true), Object(Symbol()), 'a'.matchAll(/a/g),
             (function () {}).bind(null), request, request.headers, request.query, request.cookies, vars, base64,
             {get a() { return 1; }}, Object.create(null)]""";

    /// The largest there can be, and what says to be larger.
    private static final String HUGE = """
            (function () {
                const long = 'x'.repeat(1048576), full = Array.from({length: 100000}, (v, i) => i), sparse = [];
                sparse.length = 4294967295;
                return [long, full, sparse, {length: 9007199254740991}, 2e9, -2e9, Infinity, NaN, undefined, null,
                    /(x+)+y/g, () => long, {toString() { return long; }}, new Map([[long, full]]), new String(long)];
            })()""";

    /// Bytes, for one call: of an expression that goes back over a whole mebibyte.
    private static final long MOST_ASKED = 128L << 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SharedScope shared = SharedScope.make();

    @Test
    void nothing_that_is_reached_is_of_java_or_makes_code() {
        try (var context = entered()) {
            Set<ScriptableObject> reached = reached(context);

            assertThat(reached).hasSizeBetween(200, 1_000);
            assertThat(reached.stream()
                            .map(each -> each.getClass().getSimpleName())
                            .collect(Collectors.toSet()))
                    .noneMatch(name -> name.contains("Java"));
            assertThat(functions(reached).keySet())
                    .doesNotContain(
                            "eval",
                            "Function",
                            "GeneratorFunction",
                            "compile",
                            "random",
                            "for",
                            "keyFor",
                            "toSource",
                            "load");
        }
    }

    @Test
    void all_that_is_shared_is_sealed() {
        try (var context = entered()) {
            assertThat(SealedObjects.reachedFrom(shared.scope())).allMatch(ScriptableObject::isSealed);
            Set<Scriptable> prototypes = prototypes(context);
            prototypes.retainAll(prototypes(context)); // those that one run and the next have in common

            assertThat(prototypes).hasSizeGreaterThan(10).allMatch(each -> ((ScriptableObject) each).isSealed());
        }
    }

    private Set<Scriptable> prototypes(SandboxContext context) {
        Set<Scriptable> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object sample : samples(context)) {
            if (!(sample instanceof Scriptable made)) continue;
            for (Scriptable at = made.getPrototype(); at != null; at = at.getPrototype()) found.add(at);
        }
        return found;
    }

    @Test
    void no_function_takes_more_than_it_may_whatever_it_is_given() {
        var asked = new TreeMap<Long, String>();
        try (var context = entered()) {
            List<Object> huge = list(evaluated(context, HUGE));
            functions(reached(context)).forEach((name, function) -> {
                for (Object self : huge.subList(0, 4)) {
                    for (Object[] arguments : arguments(huge)) {
                        long before = THREADS.getCurrentThreadAllocatedBytes();
                        call(context, function, self, arguments, name);
                        asked.put(THREADS.getCurrentThreadAllocatedBytes() - before, name);
                    }
                }
            });
        }
        assertThat(asked.size()).isGreaterThan(200);
        assertThat(asked.lastEntry().getKey()).as(asked.lastEntry().getValue()).isLessThan(MOST_ASKED);
    }

    /// What is looked at between two instructions is not looked at while one built-in function calls another.
    @Test
    void no_function_that_another_calls_for_each_element_takes_more_than_it_may() {
        var asked = new TreeMap<Long, String>();
        var took = new TreeMap<Long, String>();
        try (var context = entered()) {
            Object texts = evaluated(context, "new Array(9999).fill('9'.repeat(1048576))");
            functions(reached(context)).forEach((name, function) -> {
                for (String method : List.of("map", "forEach", "reduce", "sort", "flatMap")) {
                    var self = (Scriptable) texts;
                    if (!(ScriptableObject.getProperty(self, method) instanceof Callable calling))
                        throw new AssertionError("no " + method);
                    long memory = THREADS.getCurrentThreadAllocatedBytes();
                    long time = THREADS.getCurrentThreadCpuTime();
                    call(context, calling, self, new Object[] {function}, method + ' ' + name);
                    took.put(THREADS.getCurrentThreadCpuTime() - time, method + ' ' + name);
                    asked.put(THREADS.getCurrentThreadAllocatedBytes() - memory, method + ' ' + name);
                }
            });
        }
        assertThat(asked.size()).isGreaterThan(200);
        assertThat(asked.lastEntry().getKey()).as(asked.lastEntry().getValue()).isLessThan(MOST_ASKED);
        assertThat(Duration.ofNanos(took.lastEntry().getKey()))
                .as(took.lastEntry().getValue())
                .isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void long_texts_are_not_read_as_numbers_by_the_thousand() {
        try (var context = entered()) {
            for (String each : List.of(
                    "Math.max.apply(null, all)",
                    "Math.hypot.apply(null, all)",
                    "String.fromCharCode.apply(null, all)",
                    "all.map(Number)",
                    "all.map(isNaN)",
                    "Array.from(all, parseFloat)",
                    "new Set(all.map((v, i) => v + i)).forEach(Number)")) {
                long time = THREADS.getCurrentThreadCpuTime();
                assertThatThrownBy(() -> run(context, "const all = new Array(1999).fill('9'.repeat(1000000)); " + each))
                        .as(each)
                        .isInstanceOfAny(RhinoException.class, ScriptStoppedError.class);
                assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - time))
                        .as(each)
                        .isLessThan(Duration.ofSeconds(1));
            }
        }
    }

    private void run(SandboxContext context, String source) {
        begin(context, new ScriptBounds(Duration.ofMillis(50), 10_000_000, 32 << 20));
        Scriptable scope = shared.fresh(context, context.message());
        JavaScript.compiled(source, shared.sandbox()).exec(context, scope, scope);
    }

    /// Whatever it does, it ends, and by nothing that is no script's affair.
    private void call(SandboxContext context, Callable function, Object self, Object[] arguments, String name) {
        begin(context);
        Scriptable on = self instanceof Scriptable object
                ? object
                : context.newObject(shared.scope(), "String", new Object[] {self});
        try {
            ScriptRuntime.doTopCall(function, context, shared.scope(), on, arguments.clone(), false);
            if (function instanceof Function constructor) {
                begin(context);
                Callable made = (within, scope, _, given) -> constructor.construct(within, scope, given);
                ScriptRuntime.doTopCall(made, context, shared.scope(), on, arguments.clone(), false);
            }
        } catch (RhinoException | ScriptStoppedError | ScriptEndedError | StackOverflowError e) {
            assertThat(e).as(name).isNotNull();
        } catch (RuntimeException e) {
            throw new AssertionError(name + " fails otherwise than a script", e);
        }
    }

    private static List<Object[]> arguments(List<Object> huge) {
        var all = new ArrayList<Object[]>();
        for (int i : new int[] {0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 14}) all.add(new Object[] {huge.get(i)});
        all.add(new Object[] {huge.get(0), huge.get(0)});
        all.add(new Object[] {huge.get(4), huge.get(0)});
        all.add(new Object[] {huge.get(10), huge.get(0)});
        all.add(new Object[] {huge.get(11), huge.get(1)});
        all.add(new Object[] {huge.get(1), huge.get(11), huge.get(0)});
        all.add(new Object[] {huge.get(3), huge.get(2), huge.get(4)});
        return all;
    }

    private SandboxContext entered() {
        var context = (SandboxContext) shared.sandbox().enterContext();
        begin(context);
        return context;
    }

    private static void begin(SandboxContext context) {
        begin(context, new ScriptBounds(Duration.ofMillis(10), 50_000, 32 << 20));
    }

    private static void begin(SandboxContext context, ScriptBounds bounds) {
        var clock = ManualClock.create();
        var exchange = Exchanges.get("/items?a=b").with("X-A", "b").make();
        context.begin(
                ScriptMessage.ofRequest(exchange, ScriptBody.NONE, clock, new ScriptLog("a", clock)),
                ScriptBudget.begin(bounds));
    }

    private Object evaluated(SandboxContext context, String expression) {
        begin(context, new ScriptBounds(Duration.ofSeconds(1), 1_000_000_000, 256 << 20));
        Scriptable scope = shared.fresh(context, context.message());
        JavaScript.compiled("var made = " + expression + ";", shared.sandbox()).exec(context, scope, scope);
        return ScriptableObject.getProperty(scope, "made");
    }

    private List<Object> samples(SandboxContext context) {
        return list(evaluated(context, SAMPLES));
    }

    private static List<Object> list(Object array) {
        var list = new ArrayList<Object>();
        var elements = (NativeArray) array;
        for (int i = 0; i < elements.getLength(); i++) {
            Object element = elements.get(i, elements);
            list.add(Scriptable.NOT_FOUND.equals(element) || element == null ? Undefined.instance : element);
        }
        return list;
    }

    private Set<ScriptableObject> reached(SandboxContext context) {
        var reached = SealedObjects.reachedFrom(shared.scope());
        for (Object sample : samples(context)) {
            if (sample instanceof ScriptableObject object) reached.addAll(SealedObjects.reachedFrom(object));
        }
        return reached;
    }

    private static Map<String, Callable> functions(Set<ScriptableObject> reached) {
        var functions = new TreeMap<String, Callable>();
        for (ScriptableObject each : reached) {
            if (!(each instanceof Callable function)) continue;
            String name = String.valueOf(ScriptableObject.getProperty(each, "name"));
            if (functions.putIfAbsent(name, function) != null) functions.put(name + "#" + functions.size(), function);
        }
        return functions;
    }
}

package gateway.policies.script.groovy;

import gateway.policies.script.run.TextCase;
import groovy.lang.Closure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.codehaus.groovy.runtime.FormatHelper;
import org.codehaus.groovy.runtime.InvokerHelper;
import org.jspecify.annotations.Nullable;

/// Regular expressions of scripts in Groovy, over texts of which each character that is looked at counts
/// ([CountedText]): called in the place of Groovy's operators and of methods by these names ([WovenRegex]).
public final class CountedRegex {
    /// Methods that match a text, on a text, a pattern or a matcher; other objects have such methods too.
    static final Set<String> METHODS = Set.of(
            "matches",
            "replaceAll",
            "replaceFirst",
            "split",
            "find",
            "findAll",
            "eachMatch",
            "matcher",
            "reset",
            "grep",
            "minus",
            "isCase",
            "toUpperCase",
            "toLowerCase");

    private static final Pattern REPEAT = Pattern.compile("(?<!\\\\)\\{(\\d+)");
    private static final long MOST_REPEATS = 1_000_000; // within each other; a loop over nothing looks at no character

    private CountedRegex() {}

    /// `text =~ regex`.
    public static Matcher find(@Nullable Object text, Object regex) {
        return pattern(regex).matcher(counted(text));
    }

    /// `text ==~ regex`.
    public static boolean match(@Nullable Object text, @Nullable Object regex) {
        return text != null && regex != null && find(text, regex).matches();
    }

    /// What a value is compared with by `in` and `case`.
    public static @Nullable Object option(@Nullable Object value) {
        return value instanceof Pattern pattern ? new Option(pattern) : value;
    }

    /// A pattern that values are compared with.
    public static final class Option {
        private final Pattern pattern;

        private Option(Pattern pattern) {
            this.pattern = pattern;
        }

        /// As Groovy asks it.
        public boolean isCase(@Nullable Object value) {
            return match(value, pattern);
        }
    }

    /// `receiver.name(arguments)`.
    public static @Nullable Object call(@Nullable Object receiver, String name, List<@Nullable Object> arguments) {
        return switch (receiver) {
            case CharSequence text when takesRegex(name, arguments) -> ofText(text, name, arguments);
            case CharSequence text
            when name.equals("minus") && arguments.size() == 1 && arguments.getFirst() instanceof Pattern taken ->
                pattern(taken).matcher(counted(text)).replaceFirst("");
            case CharSequence text
            when name.equals("toUpperCase") && arguments.isEmpty() ->
                TextCase.upper(FormatHelper.toString(text), _ -> CountedWork.check());
            case CharSequence text
            when name.equals("toLowerCase") && arguments.isEmpty() ->
                TextCase.lower(FormatHelper.toString(text), _ -> CountedWork.check());
            case Pattern pattern
            when name.equals("isCase") && arguments.size() == 1 -> match(arguments.getFirst(), pattern);
            case Pattern pattern
            when name.equals("matcher") && arguments.size() == 1 -> pattern.matcher(counted(arguments.getFirst()));
            case Pattern pattern
            when name.equals("split") && !arguments.isEmpty() -> split(pattern, arguments.getFirst(), arguments);
            case Matcher matcher
            when name.equals("reset") && arguments.size() == 1 -> matcher.reset(counted(arguments.getFirst()));
            case Class<?> type
            when type == Pattern.class && name.equals("matches") && arguments.size() == 2 ->
                match(arguments.get(1), arguments.getFirst());
            case null, default -> invoke(receiver, name, arguments);
        };
    }

    /// `receiver?.name(arguments)`.
    public static @Nullable Object callSafely(
            @Nullable Object receiver, String name, List<@Nullable Object> arguments) {
        return receiver == null ? null : call(receiver, name, arguments);
    }

    /// `receivers*.name(arguments)`.
    public static @Nullable Object callEach(@Nullable Object receivers, String name, List<@Nullable Object> arguments) {
        if (receivers == null) return null;
        var results = new ArrayList<@Nullable Object>();
        for (var each = InvokerHelper.asIterator(receivers); each.hasNext(); ) {
            results.add(callSafely(each.next(), name, arguments));
        }
        return results;
    }

    private static boolean takesRegex(String name, List<@Nullable Object> arguments) {
        if (arguments.isEmpty() || name.equals("matcher") || name.equals("reset") || name.equals("grep")) return false;
        boolean alone = name.equals("matches");
        if (name.equals("minus") || name.equals("isCase") || name.startsWith("to")) return false;
        boolean more = name.startsWith("replace") || name.equals("eachMatch");
        if (alone ? arguments.size() != 1 : more ? arguments.size() != 2 : arguments.size() > 2) return false;
        return arguments.getFirst() instanceof CharSequence || arguments.getFirst() instanceof Pattern;
    }

    /// What Groovy makes of them, and of closures behind them: its own methods match the text itself.
    private static @Nullable Object ofText(CharSequence text, String name, List<@Nullable Object> arguments) {
        Pattern pattern = pattern(arguments.getFirst());
        Matcher matcher = pattern.matcher(counted(text));
        Object then = arguments.size() > 1 ? arguments.get(1) : null;
        return switch (name) {
            case "matches" -> matcher.matches();
            case "split" -> split(pattern, text, arguments);
            case "replaceAll" ->
                then instanceof Closure<?> closure
                        ? matcher.replaceAll(_ -> replacement(matcher, closure))
                        : matcher.replaceAll(FormatHelper.toString(then));
            case "replaceFirst" ->
                then instanceof Closure<?> closure
                        ? matcher.replaceFirst(_ -> replacement(matcher, closure))
                        : matcher.replaceFirst(FormatHelper.toString(then));
            case "find" -> {
                if (!matcher.find()) yield null;
                yield then instanceof Closure<?> closure
                        ? FormatHelper.toString(closure.call(found(matcher)))
                        : matcher.group();
            }
            case "findAll" ->
                then instanceof Closure<?> closure
                        ? InvokerHelper.invokeMethod(matcher, "collect", closure)
                        : matcher.results().map(MatchResult::group).collect(Collectors.toCollection(ArrayList::new));
            case "eachMatch" -> {
                InvokerHelper.invokeMethod(matcher, "each", then);
                yield text;
            }
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String replacement(Matcher matcher, Closure<?> closure) {
        return Matcher.quoteReplacement(FormatHelper.toString(closure.call(found(matcher))));
    }

    /// What a closure is given: the text, or a list of it and its groups where there are any.
    private static @Nullable Object found(Matcher matcher) {
        if (matcher.groupCount() == 0) return matcher.group();
        var groups = new ArrayList<@Nullable Object>();
        for (int i = 0; i <= matcher.groupCount(); i++) groups.add(matcher.group(i));
        return groups;
    }

    private static String[] split(Pattern pattern, @Nullable Object text, List<@Nullable Object> arguments) {
        int limit = arguments.size() > 1 && arguments.get(1) instanceof Number number ? number.intValue() : 0;
        return pattern.split(counted(text), limit);
    }

    private static @Nullable Object invoke(@Nullable Object receiver, String name, List<@Nullable Object> arguments) {
        Object[] values = arguments.toArray();
        if (name.equals("grep") && values.length == 1) values[0] = option(values[0]);
        return InvokerHelper.invokeMethod(receiver, name, values);
    }

    /// @throws IllegalArgumentException when it repeats something too often
    private static Pattern pattern(@Nullable Object regex) {
        Pattern pattern = regex instanceof Pattern made ? made : null;
        String text = pattern == null ? FormatHelper.toString(regex) : pattern.pattern();
        long repeats = 1;
        for (var each = REPEAT.matcher(text); each.find(); ) {
            String times = each.group(1);
            repeats *= times.length() > 7 ? MOST_REPEATS + 1 : Math.max(1, Integer.parseInt(times));
            if (repeats > MOST_REPEATS) throw new IllegalArgumentException("a regular expression repeats too often");
        }
        return pattern == null ? Pattern.compile(text) : pattern;
    }

    private static CharSequence counted(@Nullable Object text) {
        return CountedText.of(FormatHelper.toString(text));
    }
}

package gateway.capture;

import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/// Writes JSON anew, token by token, with values hidden: no tree is built, a name is seen as the server sees it
/// however it is escaped, each of several members with the same name counts, and of text that breaks off nothing
/// is written that was not read whole.
///
/// Where the paths stand is one set of bits for each path and level: bit n says that the first n steps have been
/// taken. A body costs its length times the number of paths, whatever it looks like.
final class JsonMasker {
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_CONTENT) // of text that breaks off
            .build();

    private final List<JsonPath> paths;
    private long[] taken; // for each level, for each path
    private int[] element = new int[16]; // next index at each level; -1 in objects
    private int level;

    JsonMasker(List<JsonPath> paths) {
        this.paths = paths;
        this.taken = new long[16 * paths.size()];
        Arrays.fill(taken, 0, paths.size(), 1);
    }

    Optional<String> mask(String text, boolean cut) {
        var written = new StringWriter(text.length());
        String read = withoutMark(cut ? withoutLastWord(text) : text);
        try (JsonGenerator to = JSON.createGenerator(ObjectWriteContext.empty(), written)) {
            return copy(read, to, cut) ? Optional.of(finished(to, written)) : Optional.empty();
        }
    }

    private static String finished(JsonGenerator to, StringWriter written) {
        to.flush();
        return written.toString();
    }

    private boolean copy(String text, JsonGenerator to, boolean cut) {
        try (JsonParser from = JSON.createParser(ObjectReadContext.empty(), text)) {
            boolean any = false;
            for (JsonToken token = from.nextToken(); token != null; token = from.nextToken()) {
                write(token, from, to);
                any = true;
            }
            return any || cut;
        } catch (UnexpectedEndOfInputException e) {
            return cut;
        } catch (JacksonException e) {
            return false;
        }
    }

    private void write(JsonToken token, JsonParser from, JsonGenerator to) {
        switch (token) {
            case PROPERTY_NAME -> {
                String name = from.currentName();
                to.writeName(name);
                if (enter(step -> step.takesMember(name))) hide(from.nextToken(), from, to);
            }
            case END_OBJECT -> {
                level--;
                to.writeEndObject();
            }
            case END_ARRAY -> {
                level--;
                to.writeEndArray();
            }
            default -> {
                if (inArray() && entersHiddenElement()) hide(token, from, to);
                else writeValue(token, from, to);
            }
        }
    }

    private boolean inArray() {
        return level > 0 && element[level] >= 0;
    }

    private boolean entersHiddenElement() {
        int place = element[level]++;
        return enter(step -> step.takesElement(place));
    }

    private void writeValue(JsonToken token, JsonParser from, JsonGenerator to) {
        switch (token) {
            case START_OBJECT -> {
                down(-1);
                to.writeStartObject();
            }
            case START_ARRAY -> {
                down(0);
                to.writeStartArray();
            }
            case VALUE_STRING -> to.writeString(from.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> to.writeNumber(from.getString());
            case VALUE_TRUE -> to.writeBoolean(true);
            case VALUE_FALSE -> to.writeBoolean(false);
            case VALUE_NULL -> to.writeNull();
            default -> throw new IllegalStateException(token.name());
        }
    }

    private static void hide(JsonToken value, JsonParser from, JsonGenerator to) {
        to.writeString(ParameterMask.HIDDEN);
        if (value.isStructStart()) from.skipChildren();
    }

    private void down(int firstElement) {
        level++;
        if (level == element.length) {
            element = Arrays.copyOf(element, level * 2);
            taken = Arrays.copyOf(taken, taken.length * 2);
        }
        element[level] = firstElement;
    }

    /// Whether what comes is hidden.
    ///
    /// @param takes whether a step takes its name, or its place
    private boolean enter(Predicate<JsonPath.Step> takes) {
        boolean hidden = false;
        for (int p = 0; p < paths.size(); p++) {
            List<JsonPath.Step> steps = paths.get(p).steps();
            long before = before(p);
            long after = 0;
            for (int i = 0; i < steps.size(); i++) {
                if ((before & 1L << i) != 0) after |= after(steps.get(i), i, takes.test(steps.get(i)));
            }
            hidden |= arrive(p, after, steps.size());
        }
        return hidden;
    }

    private long before(int path) {
        return taken[(level - 1) * paths.size() + path];
    }

    private static long after(JsonPath.Step step, int number, boolean takes) {
        return (step.anywhere() ? 1L << number : 0) | (takes ? 1L << (number + 1) : 0);
    }

    private boolean arrive(int path, long after, int steps) {
        taken[level * paths.size() + path] = after;
        return (after & 1L << steps) != 0;
    }

    /// Of text that breaks off, the last number or word may not be whole; a comma before nothing is no JSON.
    private static String withoutLastWord(String text) {
        int end = text.length();
        while (end > 0 && isPartOfWord(text.charAt(end - 1))) end--;
        while (end > 0 && ", \t\r\n".indexOf(text.charAt(end - 1)) >= 0) end--;
        return text.substring(0, end);
    }

    private static boolean isPartOfWord(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || c == '+' || c == '-' || c == '.');
    }

    /// Some write a byte order mark, and some servers read past it.
    private static String withoutMark(String text) {
        return text.startsWith("\ufeff") ? text.substring(1) : text;
    }
}

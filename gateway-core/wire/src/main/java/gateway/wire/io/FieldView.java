package gateway.wire.io;

import gateway.http.HeaderField;
import gateway.http.HeaderText;
import gateway.http.Headers;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Headers that are Undertow's own map, seen without copying.
public final class FieldView implements Headers {
    private final HeaderMap map;
    private final boolean streamed;
    private @Nullable List<Predicate<HttpString>> removed; // null: nothing yet, or nobody asks

    public FieldView(HeaderMap map) {
        this(map, false);
    }

    private FieldView(HeaderMap map, boolean streamed) {
        this.map = map;
        this.streamed = streamed;
    }

    /// Those of a message whose content may have trailers, to which the same rules apply when they come.
    public static FieldView ofStreamed(HeaderMap map) {
        return new FieldView(map, true);
    }

    /// Takes out of the trailers what is also in the head, and what was removed from it, even if it was not there.
    public void apply(HeaderMap trailers) {
        applyRemovals(trailers, _ -> false);
        for (HeaderValues field : map) trailers.remove(field.getHeaderName());
    }

    /// Takes out of the trailers what was removed from the head, even if it was not there, but for what is `kept`.
    public void applyRemovals(HeaderMap trailers, Predicate<HttpString> kept) {
        if (removed == null) return;
        for (Predicate<HttpString> names : removed) removeAll(trailers, name -> names.test(name) && !kept.test(name));
    }

    public HeaderMap map() {
        return map;
    }

    @Override
    public Optional<String> first(String name) {
        HeaderValues values = values(name);
        return values == null ? Optional.empty() : Optional.ofNullable(values.peekFirst());
    }

    @Override
    public List<String> all(String name) {
        HeaderValues values = values(name);
        return values == null ? List.of() : List.copyOf(values);
    }

    @Override
    public boolean contains(String name) {
        HeaderValues values = values(name);
        return values != null && !values.isEmpty();
    }

    private @Nullable HeaderValues values(String name) {
        HttpString known = WrittenNames.ofAny(name);
        return known == null ? null : map.get(known);
    }

    @Override
    public void set(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        map.put(WrittenNames.of(name), value);
    }

    @Override
    public void set(HeaderField field) {
        map.put(WrittenNames.of(field.name()), field.value());
    }

    @Override
    public void add(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        map.add(WrittenNames.of(name), value);
    }

    @Override
    public void remove(String name) {
        map.remove(name);
        if (streamed) recall(WrittenNames.of(name)::equals);
    }

    @Override
    public void removeAll(Predicate<String> names) {
        Predicate<HttpString> such = name -> names.test(name.toString());
        removeAll(map, such);
        if (streamed) recall(such);
    }

    @Override
    public void removeTrailers() {
        map.remove(io.undertow.util.Headers.TRAILER);
        if (streamed) recall(_ -> true);
    }

    private void recall(Predicate<HttpString> names) {
        if (removed == null) removed = new ArrayList<>(4);
        removed.add(names);
    }

    private static void removeAll(HeaderMap from, Predicate<HttpString> names) {
        for (HttpString name : List.copyOf(from.getHeaderNames())) {
            if (names.test(name)) from.remove(name);
        }
    }

    @Override
    public void forEach(BiConsumer<String, String> line) {
        for (HeaderValues values : map) {
            String name = values.getHeaderName().toString();
            for (int i = 0; i < values.size(); i++) line.accept(name, values.get(i));
        }
    }

    @Override
    public String toString() {
        return map.toString();
    }
}

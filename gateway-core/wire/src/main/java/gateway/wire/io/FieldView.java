package gateway.wire.io;

import gateway.http.HeaderText;
import gateway.http.Headers;
import io.undertow.util.HeaderMap;
import io.undertow.util.HeaderValues;
import io.undertow.util.HttpString;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// Headers that are Undertow's own map, seen without copying.
public final class FieldView implements Headers {
    private final HeaderMap map;

    public FieldView(HeaderMap map) {
        this.map = map;
    }

    public HeaderMap map() {
        return map;
    }

    @Override
    public Optional<String> first(String name) {
        return Optional.ofNullable(map.getFirst(name));
    }

    @Override
    public List<String> all(String name) {
        HeaderValues values = map.get(name);
        return values == null ? List.of() : List.copyOf(values);
    }

    @Override
    public boolean contains(String name) {
        return map.contains(name);
    }

    @Override
    public void set(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        map.put(HttpString.tryFromString(name), value);
    }

    @Override
    public void add(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        map.add(HttpString.tryFromString(name), value);
    }

    @Override
    public void remove(String name) {
        map.remove(name);
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

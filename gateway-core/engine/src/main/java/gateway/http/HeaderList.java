package gateway.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Headers as a short list of lines, for messages the gateway makes itself: few lines, searched in order.
final class HeaderList implements Headers {
    private static final int MORE = 8;
    private static final int USUAL = 32; // texts of most requests, and some more

    private final List<String> lines; // name, value, name, value …

    HeaderList(List<String> lines) {
        this(lines.size() + MORE);
        this.lines.addAll(lines);
    }

    private HeaderList(int capacity) {
        this.lines = new ArrayList<>(capacity);
    }

    static HeaderList copyOf(Headers other) {
        var copy = new HeaderList(USUAL);
        other.forEach(copy::append);
        return copy;
    }

    /// A line that was one of a message before.
    private void append(String name, String value) {
        lines.add(name);
        lines.add(value);
    }

    @Override
    public Optional<String> first(String name) {
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(name)) return Optional.of(lines.get(i + 1));
        }
        return Optional.empty();
    }

    @Override
    public List<String> all(String name) {
        var values = new ArrayList<String>(2);
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(name)) values.add(lines.get(i + 1));
        }
        return values;
    }

    @Override
    public boolean contains(String name) {
        for (int i = 0; i < lines.size(); i += 2) {
            if (lines.get(i).equalsIgnoreCase(name)) return true;
        }
        return false;
    }

    @Override
    public void set(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        replace(name, value);
    }

    @Override
    public void set(HeaderField field) {
        replace(field.name(), field.value());
    }

    private void replace(String name, String value) {
        remove(name);
        lines.add(name);
        lines.add(value);
    }

    @Override
    public void add(String name, String value) {
        HeaderText.requireToken(name);
        HeaderText.requireValue(name, value);
        lines.add(name);
        lines.add(value);
    }

    @Override
    public void remove(String name) {
        removeAll(name::equalsIgnoreCase);
    }

    @Override
    public void removeAll(Predicate<String> names) {
        for (int i = lines.size() - 2; i >= 0; i -= 2) {
            if (names.test(lines.get(i))) {
                lines.remove(i + 1);
                lines.remove(i);
            }
        }
    }

    @Override
    public void forEach(BiConsumer<String, String> line) {
        for (int i = 0; i < lines.size(); i += 2) line.accept(lines.get(i), lines.get(i + 1));
    }

    @Override
    public String toString() {
        return lines.toString();
    }
}

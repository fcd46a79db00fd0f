package gateway.http;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A span that writes down what becomes of it and of those within it, such as `request > policy a > GET: end`.
public final class NotedSpan implements Span {
    private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-";

    private final String path;
    private final List<String> notes;

    public NotedSpan(String name) {
        this(name, new CopyOnWriteArrayList<>());
    }

    private NotedSpan(String path, List<String> notes) {
        this.path = path;
        this.notes = notes;
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public Span begin(Kind kind, String name) {
        var within = new NotedSpan(path + " > " + name, notes);
        within.note("begin " + kind);
        return within;
    }

    private void note(String what) {
        notes.add(path + ": " + what);
    }

    @Override
    public void rename(String name) {
        note("rename " + name);
    }

    @Override
    public void set(String attribute, String value) {
        note(attribute + "=" + value);
    }

    @Override
    public void set(String attribute, long value) {
        note(attribute + "=" + value);
    }

    @Override
    public void fail(String type) {
        note("fail " + type);
    }

    @Override
    public String traceparent() {
        return TRACE + "%016x-01".formatted(path.hashCode() & 0xffffffffL);
    }

    @Override
    public void end() {
        note("end");
    }
}

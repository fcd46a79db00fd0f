package gateway.json;

import gateway.json.Shape.Extent;
import gateway.json.Shape.Kind;
import gateway.json.Shape.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A place of no document, that notes what its reader asks for. Of arrays and of objects with any names it has one
/// element.
final class RecordedPlace implements ConfigNode {
    private static final String ELEMENT = "[]";
    private static final String MEMBER = "any"; // a name that is sound wherever names are read

    private final Exploration exploration;
    private final @Nullable RecordedPlace around; // null: the root
    private final ShapeNotes notes;
    private final String pointer;
    private final boolean present;
    private final ReadingPass pass;
    private final Map<String, RecordedPlace> children = new HashMap<>();
    private boolean closed; // described elsewhere, so that nothing is noted here
    private boolean observed; // the reader knows whether it is present

    private RecordedPlace(
            Exploration exploration,
            @Nullable RecordedPlace around,
            ReadingPass pass,
            ShapeNotes notes,
            String pointer,
            boolean present) {
        this.exploration = exploration;
        this.around = around;
        this.pass = pass;
        this.notes = notes;
        this.pointer = pointer;
        this.present = present;
    }

    static RecordedPlace root(Exploration exploration, ReadingPass pass, ShapeNotes notes) {
        return new RecordedPlace(exploration, null, pass, notes, "", true);
    }

    /// The notes of what lies one step below, which is known.
    static ShapeNotes below(ShapeNotes notes, String step) {
        ShapeNotes known = step.equals(ELEMENT) ? notes.element : notes.fields.get(step);
        if (known == null) known = notes.value;
        if (known == null) throw new IllegalStateException("never met: " + step);
        return known;
    }

    @Override
    public String pointer() {
        return pointer;
    }

    @Override
    public boolean isPresent() {
        observe();
        return present && !closed;
    }

    /// What is here is there only where all around it is.
    private void observe() {
        for (RecordedPlace each = this; each != null && !each.observed; each = each.around) each.observed = true;
    }

    @Override
    public Optional<JsonNode> json() {
        if (!isPresent()) return Optional.empty();
        for (int kind = 1; kind < Exploration.STAND_INS.size(); kind++) meets(new Variation.Stands(pointer, kind));
        for (Variation each : pass.variations) {
            if (each instanceof Variation.Stands(String at, int kind) && at.equals(pointer))
                return Optional.of(Exploration.STAND_INS.get(kind));
        }
        return Optional.of(Exploration.STAND_INS.getFirst());
    }

    @Override
    public RecordedPlace field(String name) {
        RecordedPlace known = children.get(name);
        if (known != null) return known;
        if (closed) return silent();
        return child(name, notes.fields.computeIfAbsent(name, _ -> new ShapeNotes()));
    }

    private RecordedPlace child(String name, ShapeNotes noting) {
        String at = pointer + '/' + name;
        boolean there = present && !pass.has(new Variation.Absent(at));
        var child = new RecordedPlace(exploration, this, pass, noting, at, there);
        children.put(name, child);
        meets(new Variation.Absent(at));
        return child;
    }

    private RecordedPlace silent() {
        var silent = new RecordedPlace(exploration, this, pass, new ShapeNotes(), pointer + "/-", true);
        silent.closed = true;
        return silent;
    }

    private void meets(Variation variation) {
        if (closed) return;
        pass.met.add(variation);
        exploration.meets(variation, pass.variations);
    }

    private boolean varies(Variation variation) {
        meets(variation);
        return pass.has(variation);
    }

    @Override
    public void problem(String message) {
        if (!present) pass.missing.add(pointer);
        else if (!observed) pass.needed.add(pointer);
    }

    @Override
    public <T> T attempt(Supplier<T> reader, T otherwise) {
        return reader.get();
    }

    private void expects(Kind kind) {
        if (!closed) notes.expects(kind);
    }

    private void fallsBackTo(Object value) {
        if (!closed) notes.fallsBackTo(Json.mapper().valueToTree(value), !present);
    }

    /// Required: its absence is a problem.
    private void needs() {
        problem("missing");
    }

    @Override
    public String requiredText() {
        expects(new Kind.Text(true));
        needs();
        return "";
    }

    @Override
    public String text(String fallback) {
        expects(new Kind.Text(false));
        if (!fallback.isEmpty()) fallsBackTo(fallback);
        return fallback;
    }

    @Override
    public boolean bool(boolean fallback) {
        expects(new Kind.Flag());
        fallsBackTo(fallback);
        return fallback;
    }

    @Override
    public long integer(long min, long max) {
        return needed(new Kind.Whole(min, max), min, max);
    }

    @Override
    public long integer(long min, long max, long fallback) {
        fallsBackTo(fallback);
        return usual(new Kind.Whole(min, max), fallback, max);
    }

    @Override
    public double share(double fallback) {
        fallsBackTo(fallback);
        return usual(new Kind.Share(), fallback, 1.0);
    }

    @Override
    public Duration duration(Duration min, Duration max) {
        return needed(new Kind.Length(min, max), min, max);
    }

    @Override
    public Duration duration(Duration min, Duration max, Duration fallback) {
        fallsBackTo(Durations.text(fallback));
        return usual(new Kind.Length(min, max), fallback, max);
    }

    @Override
    public long size(long min, long max) {
        return needed(new Kind.Size(min, max), min, max);
    }

    /// What stands for no size, or for any, is no default that could be written.
    @Override
    public long size(long min, long max, long fallback) {
        if (fallback >= min && fallback < Long.MAX_VALUE) fallsBackTo(fallback);
        return usual(new Kind.Size(min, max), fallback, max);
    }

    private <T> T needed(Kind kind, T least, T largest) {
        needs();
        return usual(kind, least, largest);
    }

    private <T> T usual(Kind kind, T value, T largest) {
        expects(kind);
        return varies(new Variation.Largest(pointer)) ? largest : value;
    }

    @Override
    public Optional<Instant> optionalInstant() {
        expects(new Kind.Time());
        return Optional.empty();
    }

    @Override
    public <E extends Enum<E>> E choice(E fallback) {
        List<E> constants = List.of(fallback.getDeclaringClass().getEnumConstants());
        expects(new Kind.Choice(constants.stream().map(ConfigNode::word).toList()));
        fallsBackTo(ConfigNode.word(fallback));
        E chosen = fallback;
        for (E each : constants) {
            if (each != fallback && varies(new Variation.Chosen(pointer, ConfigNode.word(each)))) chosen = each;
        }
        return chosen;
    }

    @Override
    public <T> List<T> list(Function<ConfigNode, T> element) {
        if (closed) return List.of();
        if (notes.element == null) notes.element = new ShapeNotes();
        observe();
        return present ? List.of(element.apply(child(ELEMENT, notes.element))) : List.of();
    }

    @Override
    public <T> Map<String, T> map(Function<ConfigNode, T> value) {
        if (closed) return Map.of();
        if (notes.value == null) notes.value = new ShapeNotes();
        observe();
        return present ? Map.of(MEMBER, value.apply(child(MEMBER, notes.value))) : Map.of();
    }

    @Override
    public long addCost(long more) {
        return 0;
    }

    @Override
    public long cost() {
        return 0;
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public boolean expectObject() {
        if (!closed) notes.isObject = true;
        return isPresent();
    }

    @Override
    public boolean requireObject() {
        needs();
        return expectObject();
    }

    @Override
    public void refuseUnknownFields() {
        if (isPresent()) notes.closed = true;
    }

    @Override
    public boolean hasProblems() {
        return false;
    }

    @Override
    public List<ConfigProblem> problems() {
        return List.of();
    }

    @Override
    public long problemCount() {
        return pass.problems();
    }

    @Override
    public RecordedPlace meaning(String text) {
        notes.meaning = text;
        return this;
    }

    @Override
    public RecordedPlace form(String text) {
        notes.form = text;
        return this;
    }

    @Override
    public RecordedPlace unlessGiven(String text) {
        notes.unlessGiven = text;
        return this;
    }

    @Override
    public RecordedPlace like(Pattern pattern) {
        notes.pattern = pattern.pattern();
        return this;
    }

    @Override
    public RecordedPlace namesLike(Pattern pattern) {
        if (!closed) notes.names = pattern.pattern();
        return this;
    }

    @Override
    public RecordedPlace extent(int least, int most) {
        if (!closed) notes.extent = new Extent(least, most);
        return this;
    }

    @Override
    public RecordedPlace one(String... names) {
        return rules(new Rule.One(List.of(names)));
    }

    @Override
    public RecordedPlace some(String... names) {
        return rules(new Rule.Some(List.of(names)));
    }

    @Override
    public RecordedPlace apart(String name, String... others) {
        return rules(new Rule.Apart(name, List.of(others)));
    }

    @Override
    public RecordedPlace beside(String other, String name) {
        return rules(new Rule.Beside(other, name));
    }

    @Override
    public RecordedPlace onlyWhere(String name, String by, boolean usual, String... words) {
        return rules(new Rule.OnlyWhere(name, by, usual, List.of(words)));
    }

    @Override
    public RecordedPlace neededWhere(String name, String by, boolean usual, String... words) {
        return rules(new Rule.NeededWhere(name, by, usual, List.of(words)));
    }

    @Override
    public RecordedPlace obeys(String schema) {
        return rules(new Rule.Obeys(Json.parse(schema)));
    }

    private RecordedPlace rules(Rule rule) {
        if (!closed) notes.rules.add(rule);
        return this;
    }

    @Override
    public RecordedPlace scalars(int most) {
        expects(new Kind.Scalar());
        if (notes.element == null) notes.element = new ShapeNotes();
        notes.element.expects(new Kind.Scalar());
        notes.element.required = true;
        return extent(1, most);
    }

    @Override
    public RecordedPlace only(Collection<String> values) {
        notes.only(List.copyOf(values));
        return this;
    }

    @Override
    public RecordedPlace named(String shape, Consumer<ConfigNode> reader) {
        if (closed || (pointer.isEmpty() && exploration.explores(shape))) return this;
        notes.named = shape;
        closed = true;
        exploration.describe(shape, reader);
        return this;
    }

    @Override
    public void alternative(String shape, Consumer<ConfigNode> reader) {
        if (!notes.alternatives.containsKey(shape)) notes.alternatives.put(shape, exploration.alternative(reader));
    }
}

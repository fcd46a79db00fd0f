package gateway.policies.message.schema;

import gateway.json.TextCut;
import gateway.policies.message.BoundReachedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// One value on its way through a schema: where it has come to, what was found, and how much it may still take. What
/// it takes is counted wherever something repeats, so that no schema and no value holds a thread for long.
final class Evaluation {
    private static final int LONGEST = 1_000; // characters of a pointer
    private static final int DEEPEST = 500; // schemas within each other; a level of a value takes two or three

    private final SchemaUse use;
    private final int most;
    private final List<Finding> findings = new ArrayList<>();
    private long effort;
    private int quiet; // within a schema whose failure decides nothing yet
    private int depth;
    private SchemaResource[] scopes = new SchemaResource[8];
    private int scopeCount;
    private @Nullable String[] names = new @Nullable String[16]; // null: an element
    private int[] indexes = new int[16];
    private int steps;

    /// @param most findings
    Evaluation(SchemaUse use, long effort, int most) {
        this.use = use;
        this.effort = effort;
        this.most = most;
    }

    List<Finding> findings() {
        return findings;
    }

    SchemaUse use() {
        return use;
    }

    /// Takes so much of what there is.
    ///
    /// @throws BoundReachedException when that is too much
    void spend(long units) {
        effort -= units;
        if (effort < 0) throw new BoundReachedException("fewer evaluations");
    }

    /// Notes what is wrong here.
    ///
    /// @return false
    boolean fails(String keyword, String expected) {
        if (quiet == 0 && findings.size() < most) findings.add(new Finding(pointer(), keyword, expected));
        return false;
    }

    /// Whether nothing that is found from now on is told.
    boolean settled() {
        return quiet > 0 || findings.size() >= most;
    }

    boolean holds(Subschema schema, JsonNode node, Marks given) {
        spend(1);
        if (++depth > DEEPEST) throw new BoundReachedException("at most " + DEEPEST + " levels of schemas");
        Marks marks = schema.marks && !given.kept() ? Marks.create() : given;
        int outer = scopeCount;
        enter(schema.resource);
        boolean good = true;
        for (Check each : schema.checks()) {
            if (each.holds(node, marks, this)) continue;
            good = false;
            if (settled()) break;
        }
        scopeCount = outer;
        depth--;
        return good;
    }

    /// The same value by another schema.
    boolean alsoHolds(Subschema schema, JsonNode node, Marks marks) {
        Marks inner = marks.fresh();
        boolean good = holds(schema, node, inner);
        if (good) marks.add(inner);
        return good;
    }

    /// The same, where failing is no finding.
    boolean mayHold(Subschema schema, JsonNode node, Marks marks) {
        quiet++;
        boolean good = alsoHolds(schema, node, marks);
        quiet--;
        return good;
    }

    boolean member(Subschema schema, String name, JsonNode value) {
        step(name, 0);
        boolean good = holds(schema, value, Marks.NONE);
        steps--;
        return good;
    }

    boolean element(Subschema schema, int index, JsonNode value) {
        step(null, index);
        boolean good = holds(schema, value, Marks.NONE);
        steps--;
        return good;
    }

    boolean mayElement(Subschema schema, int index, JsonNode value) {
        quiet++;
        boolean good = element(schema, index, value);
        quiet--;
        return good;
    }

    /// Of the resources that led here, the outermost comes first.
    Subschema dynamic(String anchor, Subschema otherwise) {
        for (int i = 0; i < scopeCount; i++) {
            Subschema found = scopes[i].dynamicTargets.get(anchor);
            if (found != null) return found;
        }
        return otherwise;
    }

    private void enter(SchemaResource resource) {
        if (scopeCount > 0 && scopes[scopeCount - 1].equals(resource)) return;
        if (scopeCount == scopes.length) scopes = Arrays.copyOf(scopes, scopeCount * 2);
        scopes[scopeCount++] = resource;
    }

    private void step(@Nullable String name, int index) {
        if (steps == indexes.length) {
            names = Arrays.copyOf(names, steps * 2);
            indexes = Arrays.copyOf(indexes, steps * 2);
        }
        names[steps] = name;
        indexes[steps++] = index;
    }

    /// Cut where it gets long: each finding has its own, and names may be almost all of a body.
    private String pointer() {
        var text = new StringBuilder();
        for (int i = 0; i < steps && text.length() <= LONGEST; i++) {
            String name = names[i];
            text.append('/');
            if (name == null) text.append(indexes[i]);
            else text.append(TextCut.of(name, LONGEST).replace("~", "~0").replace("/", "~1"));
        }
        return TextCut.told(text.toString(), LONGEST);
    }
}

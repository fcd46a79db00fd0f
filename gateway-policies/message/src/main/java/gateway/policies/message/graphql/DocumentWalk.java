package gateway.policies.message.graphql;

import graphql.language.DirectivesContainer;
import graphql.language.Field;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.InlineFragment;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import graphql.language.SelectionSet;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Goes through the operations of a document as a server would, fragments wherever they are used, and counts. It ends
/// at the first thing too many, so what it takes is bounded by what is counted, not by what fragments multiply to.
final class DocumentWalk {
    private static final Set<String> INTROSPECTION = Set.of("__schema", "__type", "_service"); // federation's too

    private final QueryBounds bounds;
    private final Optional<ArgumentLengths> lengths;
    private final Map<String, FragmentDefinition> fragments;
    private final Set<String> used = new HashSet<>();
    private final ArrayDeque<Level> open = new ArrayDeque<>();
    private final Set<String> openFragments = new HashSet<>();
    private int fields;
    private int aliases;
    private int directives;
    private int spreads;
    private boolean introspects;

    /// @param cost empty: nobody asks for it
    DocumentWalk(QueryBounds bounds, Optional<CostRule> cost, Map<String, FragmentDefinition> fragments) {
        this.bounds = bounds;
        this.lengths = cost.map(rule -> new ArgumentLengths(rule, bounds.tokens()));
        this.fragments = Map.copyOf(fragments);
    }

    /// Selections that are gone through.
    ///
    /// @param depth of their fields
    /// @param fragment that they are those of; empty text for none with a name
    private record Level(Iterator<?> rest, int depth, QueryWeight weight, String fragment) {
        static Level of(SelectionSet set, int depth, QueryWeight weight, String fragment) {
            return new Level(set.getSelections().iterator(), depth, weight, fragment);
        }
    }

    /// @throws QueryRefusedException when a bound is exceeded, or a fragment holds itself
    void go(OperationDefinition operation, QueryWeight weight) {
        lengths.ifPresent(each -> each.begin(operation));
        countDirectives(operation);
        operation.getVariableDefinitions().forEach(this::countDirectives);
        open.push(Level.of(operation.getSelectionSet(), 1, weight, ""));
        while (!open.isEmpty()) {
            Level level = open.element();
            if (level.rest().hasNext()) {
                enter((Selection<?>) level.rest().next(), level);
                continue;
            }
            open.pop();
            openFragments.remove(level.fragment());
        }
    }

    private void enter(Selection<?> selection, Level level) {
        switch (selection) {
            case Field field -> enter(field, level);
            case InlineFragment inline -> {
                countUse();
                countDirectives(inline);
                open.push(Level.of(inline.getSelectionSet(), level.depth(), level.weight(), ""));
            }
            case FragmentSpread spread -> enter(spread, level);
            default -> throw new IllegalStateException("a selection of no known kind");
        }
    }

    private void enter(Field field, Level level) {
        if (++fields > bounds.fields())
            throw QueryRefusedException.tooComplex("at most " + bounds.fields() + " fields");
        if (level.depth() > bounds.depth())
            throw QueryRefusedException.tooComplex("fields of at most " + bounds.depth() + " levels");
        if (field.getAlias() != null && ++aliases > bounds.aliases())
            throw QueryRefusedException.tooComplex("at most " + bounds.aliases() + " aliases");
        countDirectives(field);
        introspects |= INTROSPECTION.contains(field.getName());
        List<ListLength> own = lengths.isPresent() ? lengths.get().of(field.getArguments()) : List.of();
        QueryWeight weight = own.isEmpty() ? level.weight() : level.weight().inList(own);
        weight.addField();
        @Nullable SelectionSet inner = field.getSelectionSet();
        if (inner != null) open.push(Level.of(inner, level.depth() + 1, weight, ""));
    }

    private void enter(FragmentSpread spread, Level level) {
        countUse();
        countDirectives(spread);
        FragmentDefinition fragment = fragments.get(spread.getName());
        if (fragment == null) throw QueryRefusedException.invalid("A fragment is used that is not defined");
        if (!openFragments.add(spread.getName())) throw QueryRefusedException.invalid("A fragment holds itself");
        used.add(spread.getName());
        countDirectives(fragment);
        open.push(Level.of(fragment.getSelectionSet(), level.depth(), level.weight(), spread.getName()));
    }

    private void countUse() {
        if (++spreads > bounds.fragments())
            throw QueryRefusedException.tooComplex("at most " + bounds.fragments() + " uses of fragments");
    }

    private void countDirectives(DirectivesContainer<?> container) {
        directives += container.getDirectives().size();
        if (directives > bounds.directives())
            throw QueryRefusedException.tooComplex("at most " + bounds.directives() + " directives");
    }

    /// The names of the fragments that were gone through.
    Set<String> used() {
        return used;
    }

    /// Whether a field asks for the schema.
    boolean introspects() {
        return introspects;
    }
}

package gateway.policies.message.graphql;

import graphql.language.Definition;
import graphql.language.Document;
import graphql.language.FragmentDefinition;
import graphql.language.OperationDefinition;
import graphql.parser.InvalidSyntaxException;
import graphql.parser.Parser;
import graphql.parser.ParserEnvironment;
import graphql.parser.ParserOptions;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads documents and holds them against bounds. What no server executes for reasons that need no schema is refused:
/// each server would make something else of it.
final class DocumentReader {
    private static final int MOST_RULES = 2_000; // of the grammar within each other, ten for each bracket

    private final QueryBounds bounds;
    private final Optional<CostRule> cost;
    private final ParserOptions options;

    DocumentReader(QueryBounds bounds, Optional<CostRule> cost) {
        this.bounds = bounds;
        this.cost = cost;
        this.options = ParserOptions.newParserOptions()
                .captureIgnoredChars(false)
                .captureLineComments(false)
                .captureSourceLocation(false)
                .readerTrackData(false)
                .redactTokenParserErrorMessages(true)
                .maxCharacters(bounds.characters())
                .maxTokens(bounds.tokens() + 1) // the end is one
                .maxWhitespaceTokens(bounds.characters())
                .maxRuleDepth(MOST_RULES)
                .build();
    }

    /// @throws QueryRefusedException when it is no document that may be executed, or exceeds a bound
    QueryShape read(String text) {
        checkLength(text);
        int tokens = QueryScan.tokens(text, bounds.tokens());
        return shape(parsed(text), tokens);
    }

    void checkLength(String text) {
        if (text.length() > bounds.characters()) throw QueryRefusedException.tooLong(bounds.characters());
    }

    private Document parsed(String text) {
        try {
            return Parser.parse(ParserEnvironment.newParserEnvironment()
                    .document(text)
                    .parserOptions(options)
                    .build());
        } catch (InvalidSyntaxException _) { // whose message shows what stands there
            throw QueryRefusedException.invalid("The document is not GraphQL");
        }
    }

    private QueryShape shape(Document document, int tokens) {
        Map<String, FragmentDefinition> fragments = fragments(document);
        List<OperationDefinition> operations = document.getDefinitionsOfType(OperationDefinition.class);
        if (operations.isEmpty()) throw QueryRefusedException.invalid("The document has no operation");
        var kinds = EnumSet.noneOf(OperationKind.class);
        var names = new HashSet<String>();
        var weight = new QueryWeight(List.of());
        var walk = new DocumentWalk(bounds, cost, fragments);
        for (OperationDefinition each : operations) {
            if (each.getName() == null && operations.size() > 1)
                throw QueryRefusedException.invalid("An operation without a name is not the only one");
            if (each.getName() != null && !names.add(each.getName()))
                throw QueryRefusedException.invalid("Two operations have the same name");
            kinds.add(kind(each.getOperation()));
            walk.go(each, weight);
        }
        if (walk.used().size() < fragments.size())
            throw QueryRefusedException.invalid("A fragment is defined that is not used");
        return new QueryShape(kinds, names, walk.introspects(), weight, tokens);
    }

    private static Map<String, FragmentDefinition> fragments(Document document) {
        var fragments = new HashMap<String, FragmentDefinition>();
        for (Definition<?> each : document.getDefinitions()) {
            switch (each) {
                case OperationDefinition _ -> {}
                case FragmentDefinition fragment -> {
                    if (fragments.putIfAbsent(fragment.getName(), fragment) != null)
                        throw QueryRefusedException.invalid("Two fragments have the same name");
                }
                default -> throw QueryRefusedException.invalid("The document defines types");
            }
        }
        return fragments;
    }

    private static OperationKind kind(OperationDefinition.Operation operation) {
        return switch (operation) {
            case QUERY -> OperationKind.QUERY;
            case MUTATION -> OperationKind.MUTATION;
            case SUBSCRIPTION -> OperationKind.SUBSCRIPTION;
        };
    }
}

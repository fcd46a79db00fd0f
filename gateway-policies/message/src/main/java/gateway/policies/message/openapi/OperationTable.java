package gateway.policies.message.openapi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The paths of a document. At each segment a literal is found before one with parameters, so `/a/b` before `/a/{x}`.
final class OperationTable {
    private final Node root = new Node(Optional.empty());

    private static final class Node {
        private final Optional<TemplateSegment> template; // empty: a literal
        private final Map<String, Node> literals = new HashMap<>();
        private final List<Node> templates = new ArrayList<>();
        private @Nullable DescribedPath path; // null: none ends here

        Node(Optional<TemplateSegment> template) {
            this.template = template;
        }

        Node below(TemplateSegment segment) {
            if (segment.isLiteral())
                return literals.computeIfAbsent(segment.literals().getFirst(), _ -> new Node(Optional.empty()));
            for (Node each : templates)
                if (each.template.map(TemplateSegment::form).equals(Optional.of(segment.form()))) return each;
            var node = new Node(Optional.of(segment));
            templates.add(node);
            templates.sort(Comparator.comparingInt(
                    each -> -each.template.orElse(segment).form().length()));
            return node;
        }

        void path(DescribedPath ending) {
            path = ending;
        }

        boolean matches(String segment) {
            return template.isPresent() && template.get().matches(segment);
        }
    }

    /// @return whether no path that matches the same has one of its methods
    boolean add(DescribedPath path) {
        Node node = root;
        for (TemplateSegment each : path.segments()) node = node.below(each);
        Optional<DescribedPath> joined = node.path == null ? Optional.of(path) : node.path.with(path);
        joined.ifPresent(node::path);
        return joined.isPresent();
    }

    /// @param segments of a canonical path
    Optional<DescribedPath> find(List<String> segments) {
        return Optional.ofNullable(find(root, segments, 0));
    }

    /// Visits no node twice, so that it ends however many paths are alike.
    private static @Nullable DescribedPath find(Node node, List<String> segments, int at) {
        if (at == segments.size()) return node.path;
        Node literal = node.literals.get(segments.get(at));
        DescribedPath found = literal == null ? null : find(literal, segments, at + 1);
        for (int i = 0; found == null && i < node.templates.size(); i++) {
            Node template = node.templates.get(i);
            if (template.matches(segments.get(at))) found = find(template, segments, at + 1);
        }
        return found;
    }
}

package gateway.policies.message.template;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.MustacheException;
import com.samskivert.mustache.Template;
import gateway.json.InvalidConfigException;
import gateway.policies.message.BoundReachedException;
import java.io.Writer;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A template of JMustache that sees nothing but [ShownValue]s: by itself the library would call methods of whatever
/// it meets.
final class CompiledTemplate {
    private final Template template;

    private CompiledTemplate(Template template) {
        this.template = template;
    }

    /// @param scan without problems
    /// @throws InvalidConfigException under `pointer`
    static CompiledTemplate of(TemplateScan scan, TemplateKind kind, String pointer) {
        try {
            return new CompiledTemplate(Mustache.compiler()
                    .withCollector(new ShownValues())
                    .withFormatter(kind::text)
                    .withEscaper(kind::escaped)
                    .defaultValue(TemplateKind.NOTHING)
                    .compile(scan.compiled()));
        } catch (MustacheException e) {
            throw new InvalidConfigException(pointer, "expected a template: " + e.getMessage());
        }
    }

    /// @throws BoundReachedException when more would come of it than it may make
    void write(ShownValue values, Writer to) {
        try {
            template.execute(values, to);
        } catch (MustacheException e) { // around what a look-up throws
            if (e.getCause() instanceof BoundReachedException bound) throw bound;
            throw e;
        }
    }

    private static final class ShownValues implements Mustache.Collector {
        @Override
        public @Nullable Iterator<?> toIterator(Object value) {
            if (value instanceof ShownValue.Json json && json.isArray()) return json.elements();
            boolean nothing =
                    TemplateKind.isNothing(value) || value.equals("") || value.equals(List.of()); // as JMustache has it
            return nothing ? Collections.emptyIterator() : null;
        }

        @Override
        public Mustache.VariableFetcher createFetcher(Object context, String name) {
            return ShownValues::member;
        }

        private static Object member(Object context, String name) {
            if (!(context instanceof ShownValue value)) return Template.NO_FETCHER_FOUND;
            Object found = value.member(name);
            return found == null ? Template.NO_FETCHER_FOUND : found;
        }

        @Override
        public <K, V> Map<K, V> createFetcherCache() {
            return new ConcurrentHashMap<>(); // as many as the template has names
        }
    }
}

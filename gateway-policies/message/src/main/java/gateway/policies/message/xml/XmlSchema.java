package gateway.policies.message.xml;

import com.google.auto.service.AutoService;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policies.message.ContentGuard;
import gateway.policies.message.ContentRules;
import gateway.policies.message.SizedWork;
import gateway.policy.BodyUse;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.PolicyType;
import gateway.policy.Services;
import gateway.policy.Stage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Lets only messages pass whose XML is as a schema says (XML Schema 1.0).
///
/// @param roots that the part may have; empty: any that the schemas declare
/// @param status of requests that do not hold
public record XmlSchema(
        ContentRules rules, GrammarSources sources, XmlPart part, Set<XmlName> roots, XmlBounds bounds, int status)
        implements PolicySpec {
    private static final long AT_ONCE = 1024; // bytes, validated on the request's own thread
    private static final long AT_ONCE_IF_SLOW = 256; // likewise, where values may take long
    private static final int MOST_ROOTS = 100;

    public XmlSchema {
        roots = Set.copyOf(roots);
    }

    @Override
    public Policy compile(PolicyPlace placement, Services services) {
        XmlGrammar grammar = sources.grammar(services);
        for (XmlName each : roots) {
            if (!grammar.globals().contains(each)) {
                throw new InvalidConfigException("/root", "expected an element of the schemas, got \"" + each + '"');
            }
        }
        Set<XmlName> allowed = roots.isEmpty() ? grammar.globals() : roots;
        if (allowed.isEmpty()) throw new InvalidConfigException("/schemas", "expected a global element, found none");
        var check = new XmlSchemaCheck(grammar, part, allowed, bounds, status);
        long atOnce = grammar.hasSlowTexts() ? AT_ONCE_IF_SLOW : AT_ONCE;
        return new ContentGuard(rules, check, new SizedWork(services.workers(), atOnce));
    }

    @Override
    public BodyUse bodyUse() {
        return rules.scope().bodyUse();
    }

    @Override
    public boolean mayReport() {
        return true;
    }

    @Override
    public boolean callsOut(Services services) {
        return true; // its time is told, though a small body is no matter for a worker
    }

    @AutoService(PolicyType.class)
    public static final class Type implements PolicyType {
        @Override
        public String name() {
            return "xml-schema";
        }

        @Override
        public Stage stage() {
            return Stage.VALIDATE;
        }

        @Override
        public XmlSchema read(ConfigNode node) {
            GrammarSources sources = GrammarSources.read(node);
            Map<String, String> namespaces =
                    XmlName.namespaces(node.field("namespaces", "what prefixes in `part` and `root` stand for"));
            return new XmlSchema(
                    ContentRules.read(node, XmlContent.TYPES),
                    sources,
                    XmlPart.read(node.field("part", "what is validated"), namespaces),
                    roots(node.field("root", "elements that may stand at the top of the part"), namespaces),
                    XmlBounds.read(node),
                    (int) node.field("status", "of requests that do not hold").integer(400, 499, 422));
        }

        private static Set<XmlName> roots(ConfigNode node, Map<String, String> namespaces) {
            node.unlessGiven("any that the schemas declare");
            var roots = new HashSet<>(
                    node.list(each -> XmlName.read(each.form("element name").requiredText(), namespaces, each)));
            node.extent(0, MOST_ROOTS);
            if (roots.size() > MOST_ROOTS)
                node.problem("expected at most " + MOST_ROOTS + " names, got " + roots.size());
            return roots;
        }
    }
}

package gateway.policies.message.xml;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The resources that a grammar is made of.
///
/// @param wsdl a service's description, for the schemas in its `types`
record GrammarSources(List<ResourceReference> schemas, Optional<ResourceReference> wsdl) {
    private static final int MOST = 100;

    GrammarSources {
        schemas = List.copyOf(schemas);
    }

    /// What a grammar is the same by.
    private record GrammarKey(List<String> digests) {}

    private static final String SOME = """
            {"anyOf": [{"required": ["schemas"], "properties": {"schemas": {"type": "array", "minItems": 1}}},
             {"required": ["wsdl"], "properties": {"wsdl": {"type": "object"}}}]}""";

    static GrammarSources read(ConfigNode node) {
        ConfigNode schemas = node.field("schemas", "schema documents (XSD 1.0), with all that they import and include");
        List<ResourceReference> named = schemas.list(ResourceReader::read);
        schemas.extent(0, MOST);
        if (named.size() > MOST) schemas.problem("expected at most " + MOST + " documents, got " + named.size());
        ConfigNode wsdl = node.field("wsdl", "a WSDL 1.1, for the schemas in its `types`")
                .named("ResourceReference", ResourceReader::read);
        Optional<ResourceReference> service =
                wsdl.isPresent() ? Optional.of(ResourceReader.read(wsdl)) : Optional.empty();
        node.obeys(SOME);
        if (named.isEmpty() && service.isEmpty()) node.problem("expected schemas, wsdl or both, got neither");
        return new GrammarSources(named, service);
    }

    /// Compiled, once for all that are made of the same content.
    ///
    /// @throws InvalidConfigException with what is wrong, each under the pointer of its document
    XmlGrammar grammar(Services services) {
        var opened = new ArrayList<Resource>();
        var digests = new ArrayList<String>();
        for (int i = 0; i < schemas.size(); i++) opened.add(open(schemas.get(i), "/schemas/" + i, services));
        wsdl.ifPresent(each -> opened.add(open(each, "/wsdl", services)));
        for (Resource each : opened) digests.add(each.id() + ' ' + each.sha256());
        return services.shared(
                new GrammarKey(List.copyOf(digests)), XmlGrammar.class, () -> XmlGrammar.of(documents(opened)));
    }

    private static Resource open(ResourceReference reference, String pointer, Services services) {
        try {
            return services.resource(reference);
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(pointer, e.problems().getFirst().message());
        }
    }

    private List<GrammarDocument> documents(List<Resource> opened) {
        var documents = new ArrayList<GrammarDocument>();
        for (int i = 0; i < schemas.size(); i++) {
            Resource each = opened.get(i);
            documents.add(GrammarDocument.of("/schemas/" + i, each.id(), each.bytes()));
        }
        if (wsdl.isPresent()) {
            Resource last = opened.getLast();
            documents.addAll(WsdlTypes.of("/wsdl", last.id(), last.bytes()));
        }
        return documents;
    }
}

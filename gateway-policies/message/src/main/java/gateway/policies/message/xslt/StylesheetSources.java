package gateway.policies.message.xslt;

import gateway.config.ResourceReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.service.Resource;
import gateway.service.ResourceReference;
import java.util.ArrayList;
import java.util.List;

/// The resources that a stylesheet is made of.
///
/// @param imports all that it imports and includes
record StylesheetSources(ResourceReference main, List<ResourceReference> imports) {
    private static final int MOST = 100;

    StylesheetSources {
        imports = List.copyOf(imports);
    }

    /// What a stylesheet is the same by.
    private record StylesheetKey(List<String> digests) {}

    static StylesheetSources read(ConfigNode node) {
        ResourceReference main = ResourceReader.read(node.field("stylesheet", "XSLT 1.0, 2.0 or 3.0"));
        ConfigNode more = node.field("imports", "stylesheets that it imports and includes, by the last part of `href`");
        List<ResourceReference> imports = more.list(ResourceReader::read);
        more.extent(0, MOST);
        if (imports.size() > MOST) more.problem("expected at most " + MOST + " stylesheets, got " + imports.size());
        return new StylesheetSources(main, imports);
    }

    /// Compiled, once for all that are made of the same content.
    ///
    /// @throws InvalidConfigException with what is wrong, each under the pointer of its document
    Stylesheet stylesheet(Services services) {
        var documents = new ArrayList<StylesheetDocument>();
        documents.add(open(main, "/stylesheet", services));
        for (int i = 0; i < imports.size(); i++) documents.add(open(imports.get(i), "/imports/" + i, services));
        var digests = new ArrayList<String>();
        for (StylesheetDocument each : documents) digests.add(each.id() + ' ' + each.sha256());
        return services.shared(
                new StylesheetKey(List.copyOf(digests)),
                Stylesheet.class,
                () -> Stylesheet.of(new StylesheetDocuments(documents)));
    }

    private static StylesheetDocument open(ResourceReference reference, String pointer, Services services) {
        try {
            Resource resource = services.resource(reference);
            return new StylesheetDocument(pointer, resource.id(), resource.sha256(), resource.bytes());
        } catch (InvalidConfigException e) {
            throw new InvalidConfigException(pointer, e.problems().getFirst().message());
        }
    }
}

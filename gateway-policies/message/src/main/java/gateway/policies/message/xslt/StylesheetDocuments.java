package gateway.policies.message.xslt;

import gateway.xml.Xml;
import java.util.List;
import java.util.Optional;
import javax.xml.transform.Source;
import javax.xml.transform.sax.SAXSource;
import net.sf.saxon.lib.ResourceRequest;
import net.sf.saxon.lib.ResourceResolver;
import net.sf.saxon.trans.XPathException;
import org.jspecify.annotations.Nullable;
import org.xml.sax.InputSource;

/// The documents of one stylesheet, and all that its imports lead to.
///
/// @param documents the one that imports the others first
record StylesheetDocuments(List<StylesheetDocument> documents) implements ResourceResolver {
    private static final String BASE = "gateway:/stylesheets/";

    StylesheetDocuments {
        documents = List.copyOf(documents);
    }

    /// What the compiler begins with.
    Source main() {
        return source(documents.getFirst());
    }

    /// Which of them a place in compiled code is in; the first one when it is in none.
    StylesheetDocument at(@Nullable String systemId) {
        if (systemId == null || !systemId.startsWith(BASE)) return documents.getFirst();
        return byName(systemId).orElse(documents.getFirst());
    }

    @Override
    public Source resolve(ResourceRequest request) throws XPathException {
        String wanted = request.relativeUri == null ? request.uri : request.relativeUri;
        Optional<StylesheetDocument> found = wanted == null ? Optional.empty() : byName(wanted);
        if (found.isPresent()) return source(found.get());
        throw new XPathException("\"" + wanted + "\" is none of the stylesheets that imports names", "XTSE0165");
    }

    private Optional<StylesheetDocument> byName(String location) {
        String name = location.substring(location.lastIndexOf('/') + 1);
        return documents.stream().filter(each -> each.id().equals(name)).findFirst();
    }

    private static Source source(StylesheetDocument document) {
        InputSource content = Xml.source(document.content());
        content.setSystemId(BASE + document.id());
        return new SAXSource(new StylesheetGate(Xml.reader()), content);
    }
}

package gateway.policies.message.xslt;

import gateway.policies.message.xslt.EngineNamespaces.MessageNamespace;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import net.sf.saxon.value.Whitespace;
import org.xml.sax.SAXException;

/// The namespaces of one message, few (and short, as its reader sees to), until it is transformed. Used by one thread.
final class MessageNamespaces implements AutoCloseable {
    /// Those of the message that this thread is at.
    static final ScopedValue<MessageNamespaces> CURRENT = ScopedValue.newInstance();

    private static final int MOST = 64;

    private final Map<String, Optional<MessageNamespace>> met = new HashMap<>();
    private String excess = "";

    /// @throws SAXException when that is one too many
    void meet(String namespace) throws SAXException {
        String uri = Whitespace.trim(namespace); // as Saxon remembers it
        if (met.containsKey(uri)) return;
        if (met.size() == MOST) throw tooMuch("more than " + MOST + " namespaces");
        met.put(uri, EngineNamespaces.ALL.enter(uri));
    }

    private SAXException tooMuch(String what) {
        excess = what;
        return new SAXException(what);
    }

    /// What the message has too much of; empty text: nothing.
    String excess() {
        return excess;
    }

    @Override
    public void close() {
        for (Optional<MessageNamespace> each : met.values()) each.ifPresent(MessageNamespace::leave);
    }
}

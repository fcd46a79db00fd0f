package gateway.xml;

import java.nio.charset.StandardCharsets;
import org.w3c.dom.Element;

/// Content that is to stand at a place of a tree and was written elsewhere, such as what was encrypted there.
public final class XmlFragment {
    private XmlFragment() {}

    /// An element around what is in `content`, which knows the prefixes that `place` knows.
    ///
    /// @param content in UTF-8
    /// @throws BadXmlException when it is not read
    public static Element read(byte[] content, Element place) throws BadXmlException {
        var begin = new StringBuilder("<content");
        Namespaces.around(place)
                .forEach((prefix, namespace) -> begin.append(prefix.isEmpty() ? " xmlns" : " xmlns:")
                        .append(prefix)
                        .append("=\"")
                        .append(namespace
                                .replace("&", "&amp;")
                                .replace("<", "&lt;")
                                .replace("\"", "&quot;"))
                        .append('"'));
        byte[] head = begin.append('>').toString().getBytes(StandardCharsets.UTF_8);
        byte[] tail = "</content>".getBytes(StandardCharsets.UTF_8);
        var all = new byte[head.length + content.length + tail.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(content, 0, all, head.length, content.length);
        System.arraycopy(tail, 0, all, head.length + content.length, tail.length);
        return Xml.document(all, "utf-8").getDocumentElement();
    }
}

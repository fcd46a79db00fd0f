package gateway.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;

final class XmlFragmentTest {
    private final Element place = place("<a xmlns='urn:a' xmlns:p='urn:far' xmlns:q='urn:q&amp;&quot;&lt;'>"
            + "<b xmlns:p='urn:near'><place xmlns:own='urn:own'/></b></a>");

    private static Element place(String xml) {
        try {
            Element root = Xml.document(bytes(xml)).getDocumentElement();
            return (Element) root.getElementsByTagNameNS("urn:a", "place").item(0);
        } catch (BadXmlException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void knows_the_prefixes_of_its_place_the_nearest_first() throws Exception {
        Element read = XmlFragment.read(bytes("<x>ä</x><p:y/><q:z/>"), place);

        assertThat(Namespaces.around(place)).isEqualTo(Map.of("", "urn:a", "p", "urn:near", "q", "urn:q&\"<"));
        assertThat(read.getElementsByTagNameNS("urn:a", "x").getLength()).isEqualTo(1);
        assertThat(read.getElementsByTagNameNS("urn:near", "y").getLength()).isEqualTo(1);
        assertThat(read.getElementsByTagNameNS("urn:q&\"<", "z").getLength()).isEqualTo(1);
        assertThat(read.getTextContent()).isEqualTo("ä");
    }

    @Test
    void what_is_no_content_of_one_place_is_not_read() {
        for (String each : List.of("<x>", "</content><content>", "</content>", "<!DOCTYPE x><x/>", "<own:x/>", "&e;")) {
            assertThatThrownBy(() -> XmlFragment.read(bytes(each), place))
                    .as(each)
                    .isInstanceOf(BadXmlException.class);
        }
    }

    @Test
    void an_element_that_is_to_stand_alone_says_what_was_said_around_it() {
        Namespaces.declareIn(place);

        assertThat(place.getAttribute("xmlns:p")).isEqualTo("urn:near");
        assertThat(place.getAttribute("xmlns")).isEqualTo("urn:a");
        assertThat(place.getAttribute("xmlns:own")).isEqualTo("urn:own");
    }
}

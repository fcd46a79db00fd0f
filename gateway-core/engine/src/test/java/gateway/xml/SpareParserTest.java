package gateway.xml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.DefaultHandler2;

final class SpareParserTest {
    private static final List<String> DOCUMENTS = List.of(
            "<a xmlns:p='urn:1'><p:b c='1'>one</p:b><!-- two --></a>",
            "<?xml version='1.0' encoding='ISO-8859-1'?><p:b xmlns:p='urn:2'><![CDATA[<]]></p:b>",
            "<p:b/>", // whose prefix another document declares
            "<a>",
            "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
            "<a>&e;</a>",
            withAttributes(64),
            withAttributes(65),
            "<a>".repeat(100) + "</a>".repeat(100),
            "<a>".repeat(101) + "</a>".repeat(101),
            "<?xml version='1.1'?><a/>",
            "<" + "n".repeat(256) + "/>",
            "<" + "n".repeat(257) + "/>");

    private static String withAttributes(int count) {
        return "<a" + IntStream.range(0, count).mapToObj(i -> " b" + i + "=''").reduce("", String::concat) + "/>";
    }

    @Test
    void whatever_a_parser_has_read_before_it_reads_the_next_document_alike() throws Exception {
        List<String> once = DOCUMENTS.stream().map(SpareParserTest::told).toList();
        assertThat(new HashSet<>(once)).hasSizeGreaterThan(6);

        try (var threads = Executors.newFixedThreadPool(4)) {
            var runs = new ArrayList<Callable<List<String>>>();
            for (int i = 0; i < 200; i++)
                runs.add(() -> DOCUMENTS.stream().map(SpareParserTest::told).toList());
            for (var each : threads.invokeAll(runs)) assertThat(each.get()).isEqualTo(once);
        }
    }

    private static String told(String text) {
        try {
            return new String(XmlText.of(Xml.document(text.getBytes(StandardCharsets.UTF_8))), StandardCharsets.UTF_8);
        } catch (BadXmlException e) {
            return e.kind() + " " + e.getMessage();
        }
    }

    @Test
    void a_parser_that_has_met_many_names_reads_no_other_document() throws Exception {
        var read = new IdentityHashMap<XMLReader, Integer>();
        for (int i = 0; i < 3_000; i++) {
            SpareParser spare = SpareParser.take(new DefaultHandler2());
            read.merge(spare.parser(), 1, Integer::sum);
            spare.met("n".repeat(256));
            spare.giveBack();
        }

        int most = Collections.max(read.values());

        assertThat(most).isBetween(100, 500);
    }

    @Test
    void one_that_did_not_come_to_the_end_of_its_document_reads_no_other() throws Exception {
        for (int i = 0; i < 100; i++) assertThat(told("<a>")).startsWith("MALFORMED");

        assertThat(told("<a/>")).isEqualTo("<a/>");
    }
}

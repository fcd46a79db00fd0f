package gateway.policies.message.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.http.Exchanges;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same verdict as xmllint's (libxml2) on each document of a corpus: every document that holds, and the same
/// changed
/// in one thing.
final class XmllintVerdictsTest {
    private static final String SCHEMA = """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="urn:o" targetNamespace="urn:o"
                elementFormDefault="qualified">
              <xs:simpleType name="Sku"><xs:restriction base="xs:string"><xs:pattern value="[A-Z]{2}-[0-9]+"/>
              </xs:restriction></xs:simpleType>
              <xs:simpleType name="Sizes"><xs:list itemType="xs:int"/></xs:simpleType>
              <xs:complexType name="Item"><xs:sequence>
                <xs:element name="sku" type="Sku"/>
                <xs:element name="amount"><xs:simpleType><xs:restriction base="xs:decimal">
                  <xs:fractionDigits value="2"/><xs:minExclusive value="0"/></xs:restriction></xs:simpleType></xs:element>
                <xs:choice minOccurs="0"><xs:element name="gift" type="xs:boolean"/>
                  <xs:element name="note" nillable="true" type="xs:token"/></xs:choice>
              </xs:sequence><xs:attribute name="n" type="xs:positiveInteger" use="required"/></xs:complexType>
              <xs:complexType name="Heavy"><xs:complexContent><xs:extension base="Item"><xs:sequence>
                <xs:element name="weight" type="xs:float"/></xs:sequence></xs:extension></xs:complexContent>
              </xs:complexType>
              <xs:element name="order"><xs:complexType><xs:sequence>
                  <xs:element name="when" type="xs:dateTime"/>
                  <xs:element name="item" type="Item" maxOccurs="3"/>
                  <xs:element name="sizes" type="Sizes" minOccurs="0"/>
                  <xs:any namespace="##other" processContents="lax" minOccurs="0"/>
                </xs:sequence><xs:attribute name="state" default="new"><xs:simpleType>
                  <xs:restriction base="xs:string"><xs:enumeration value="new"/><xs:enumeration value="old"/>
                  </xs:restriction></xs:simpleType></xs:attribute></xs:complexType>
                <xs:key name="k"><xs:selector xpath="*"/><xs:field xpath="@n"/></xs:key>
              </xs:element>
            </xs:schema>""".replace("xpath=\"*\"", "xpath=\"o:item\"")
            .replace("xmlns=\"urn:o\"", "xmlns=\"urn:o\" xmlns:o=\"urn:o\"");
    private static final String XSI = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'";
    private static final String GOOD = "<order xmlns='urn:o' xmlns:o='urn:o' " + XSI + " state='new'>"
            + "<when>2026-01-31T10:00:00Z</when>"
            + "<item n='1'><sku>AB-1</sku><amount>1.50</amount><gift>true</gift></item>"
            + "<item n='2' xsi:type='o:Heavy'><sku>CD-22</sku><amount>3</amount><weight>1e3</weight></item>"
            + "<sizes>1 2 3</sizes><x xmlns='urn:x'/></order>";
    private static final String[][] CHANGES = {
        {"state='new'", ""},
        {"state='new'", "state='odd'"},
        {"state='new'", "state='new' more='1'"},
        {"2026-01-31", "2026-02-30"},
        {"10:00:00Z", "24:00:00"},
        {"<when>2026-01-31T10:00:00Z</when>", ""},
        {"AB-1", "ab-1"},
        {"AB-1", "AB-1x"},
        {"AB-1", ""},
        {"1.50", "1.505"},
        {"1.50", "0"},
        {"1.50", "+1.5"},
        {"1.50", "1,5"},
        {"true", "1"},
        {"true", "yes"},
        {"<gift>true</gift>", ""},
        {"<gift>true</gift>", "<note xsi:nil='true'/>"},
        {"<gift>true</gift>", "<note xsi:nil='true'>x</note>"},
        {"<gift>true</gift>", "<gift>true</gift><note/>"},
        {"<gift>true", "<gift xsi:nil='true'>true"},
        {"n='1'", "n='0'"},
        {"n='1'", "n='2'"},
        {"n='1'", "n='02'"},
        {"n='1'", ""},
        {"o:Heavy", "o:Item"},
        {"o:Heavy", "o:Missing"},
        {" xsi:type='o:Heavy'", ""},
        {"1e3", "INF"},
        {"1e3", "1e3x"},
        {"1 2 3", "1  2"},
        {"1 2 3", "1, 2"},
        {"1 2 3", ""},
        {"<sizes>1 2 3</sizes>", "text"},
        {"<x xmlns='urn:x'/>", "<x xmlns=''/>"},
        {"<x xmlns='urn:x'/>", "<order/>"},
        {"<x xmlns='urn:x'/>", ""},
        {"<x xmlns='urn:x'/>", "<x xmlns='urn:x'/><x xmlns='urn:x'/>"},
        {"<sizes>", "<item n='3'><sku>AB-1</sku><amount>1</amount></item><sizes>"},
        {"<sizes>", "<item n='3'><sku>A</sku><amount>1</amount></item><sizes>"},
        {"<sizes>", "<!-- a comment --><?pi x?><sizes>"},
        {"<order xmlns='urn:o'", "<order xmlns='urn:p'"},
        {"<amount>3</amount>", "<amount>3<x/></amount>"},
        {"<amount>3</amount>", "<amount><![CDATA[3]]></amount>"}
    };

    @TempDir
    private Path folder;

    @Test
    void each_document_is_taken_by_both_or_by_none() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/xmllint")), "xmllint (libxml2-utils) is not installed");
        Files.writeString(folder.resolve("order.xsd"), SCHEMA);
        var services = new FakeServices();
        services.putResource("order.xsd", SCHEMA);
        PolicyRun run =
                PolicyRun.of("{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"order.xsd\"}]}", services);
        var documents = new ArrayList<String>(List.of(GOOD));
        for (String[] change : CHANGES) {
            assertThat(GOOD).contains(change[0]);
            documents.add(GOOD.replace(change[0], change[1]));
        }

        int taken = 0;
        for (String each : documents) {
            boolean ours = run.send(Exchanges.of("POST", "/")
                                    .with("Content-Type", "application/xml")
                                    .body(each))
                            .status()
                    == 200;
            assertThat(ours).as(each).isEqualTo(takenByXmllint(each));
            if (ours) taken++;
        }

        assertThat(taken).isBetween(10, documents.size() - 20);
    }

    private boolean takenByXmllint(String document) throws IOException, InterruptedException {
        Path file = Files.write(folder.resolve("document.xml"), document.getBytes(UTF_8));
        Process xmllint = new ProcessBuilder(
                        "xmllint",
                        "--noout",
                        "--nonet",
                        "--schema",
                        folder.resolve("order.xsd").toString(),
                        file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        assertThat(xmllint.waitFor(30, TimeUnit.SECONDS)).isTrue();
        int code = xmllint.exitValue();
        assertThat(code).as(Files.readString(folder.resolve("log"))).isIn(0, 3);
        return code == 0;
    }
}

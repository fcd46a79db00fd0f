package gateway.app.message;

import static gateway.app.message.MessageGateway.status;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.json.Json;
import java.io.File;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/// Signed and encrypted SOAP messages over sockets: what the upstream gets, what the client, and what `xmlsec1` makes
/// of both, and the gateway of what that makes.
@Timeout(60)
final class GatewayWsSecurityTest {
    private static final Path KEYS = Path.of("../gateway-policies/message/src/test/resources/wss");
    private static final String ENVELOPE = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><o:order xmlns:o="urn:orders">\
            <o:sum>1.50</o:sum></o:order></s:Body></s:Envelope>""";
    private static final String SIGN =
            "{\"add-timestamp\": {}}, {\"sign\": {\"key\": {\"env\": \"GATEWAY_SECRET_CLIENT\"}}}";
    private static final String DECRYPT = "{\"decrypt\": {\"key\": {\"env\": \"GATEWAY_SECRET_SERVICE\"}}}";

    private static final String UTILITY =
            "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
    private static final String ENCRYPTION = "http://www.w3.org/2001/04/xmlenc#";
    private static final String SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
    private static final String REFERENCE = """
            <d:Reference URI="#ID"><d:Transforms><d:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>\
            </d:Transforms><d:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><d:DigestValue/>\
            </d:Reference>""";
    private static final String TO_BE_SIGNED = """
            <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:u="UTILITY"><s:Header><w:Security \
            xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">\
            <u:Timestamp u:Id="time"><u:Created>%s</u:Created></u:Timestamp>\
            <d:Signature xmlns:d="http://www.w3.org/2000/09/xmldsig#"><d:SignedInfo>\
            <d:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>\
            <d:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>OF_TIMEOF_BODY\
            </d:SignedInfo><d:SignatureValue/><d:KeyInfo><d:X509Data/></d:KeyInfo></d:Signature></w:Security>\
            </s:Header><s:Body u:Id="body"><o:order xmlns:o="urn:orders"><o:sum>1.50</o:sum></o:order></s:Body>\
            </s:Envelope>""".replace("UTILITY", UTILITY)
            .replace("OF_TIME", REFERENCE.replace("ID", "time"))
            .replace("OF_BODY", REFERENCE.replace("ID", "body"));

    @TempDir
    private Path data;

    @Test
    void what_one_gateway_signs_for_its_upstream_another_lets_in_and_nothing_else() throws Exception {
        String signed = arrived("\"request\": [" + SIGN + "]", ENVELOPE);
        String verify =
                "\"request\": [{\"timestamp\": {}}, {\"verify\": {\"trust\": {\"certificates\": %s}}}, {\"remove\": true}]"
                        .formatted(Json.compact(Json.mapper().getNodeFactory().stringNode(read("client.crt"))));
        try (var gateway = start("\"contentTypes\": [\"text/xml\"], " + verify, "verifying")) {
            assertThat(status(gateway.post("Content-Type: text/xml", signed.getBytes(ISO_8859_1))))
                    .isEqualTo(200);
            assertThat(gateway.arrived())
                    .singleElement()
                    .asString()
                    .contains("1.50")
                    .doesNotContain("Security");

            for (String other : List.of(signed.replace("1.50", "9.50"), ENVELOPE)) {
                String answer = gateway.post("Content-Type: text/xml", other.getBytes(ISO_8859_1));

                assertThat(answer).startsWith("HTTP/1.1 500 ").contains("wsse:");
            }
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void an_answer_is_signed_and_xmlsec1_verifies_it() throws Exception {
        Path xmlsec = xmlsec();
        try (var gateway = start("\"response\": [" + SIGN + "]", "signing")) {
            gateway.answers("Content-Type: text/xml", ENVELOPE.getBytes(UTF_8));

            String answer = gateway.post("Content-Type: text/xml", ENVELOPE.getBytes(UTF_8));

            String signed = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            assertThat(verifies(xmlsec, signed)).isTrue();
            assertThat(verifies(xmlsec, signed.replace("1.50", "9.50"))).isFalse();
        }
    }

    private boolean verifies(Path xmlsec, String message) throws Exception {
        Path file = Files.writeString(data.resolve("signed.xml"), message);
        return ended(
                        xmlsec.toString(),
                        "--verify",
                        "--id-attr:Id",
                        "http://schemas.xmlsoap.org/soap/envelope/:Body",
                        "--id-attr:Id",
                        UTILITY + ":Timestamp",
                        "--pubkey-cert-pem",
                        KEYS.resolve("client.crt").toString(),
                        file.toString())
                == 0;
    }

    @Test
    void what_xmlsec1_signs_is_let_in_unless_it_is_changed_afterwards() throws Exception {
        Path xmlsec = xmlsec();
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        Path template = Files.writeString(data.resolve("template.xml"), TO_BE_SIGNED.formatted(now));
        Path output = data.resolve("output.xml");
        int code = ended(
                xmlsec.toString(),
                "--sign",
                "--id-attr:Id",
                "http://schemas.xmlsoap.org/soap/envelope/:Body",
                "--id-attr:Id",
                UTILITY + ":Timestamp",
                "--privkey-pem",
                KEYS.resolve("client.pem") + "," + KEYS.resolve("client.crt"),
                "--output",
                output.toString(),
                template.toString());
        assertThat(code).as(log()).isZero();
        String signed = Files.readString(output).replaceFirst("<\\?xml[^>]*>\\s*", "");
        String certificate = Json.compact(Json.mapper().getNodeFactory().stringNode(read("client.crt")));
        String steps =
                "{\"timestamp\": {}}, {\"verify\": {\"trust\": {\"certificates\": %s}, \"consumer\": \"subject\"}}"
                        .formatted(certificate);
        try (var gateway = start("\"request\": [" + steps + "]", "xmlsec1")) {
            assertThat(status(gateway.post("Content-Type: text/xml", signed.getBytes(UTF_8))))
                    .isEqualTo(200);
            assertThat(gateway.arrived()).containsExactly(signed);
            for (String other : List.of(signed.replace("1.50", "9.50"), signed.replace(now, "2026-01-01T00:00:00Z"))) {
                String answer = gateway.post("Content-Type: text/xml", other.getBytes(UTF_8));

                assertThat(answer).startsWith("HTTP/1.1 500 ").contains("wsse:");
            }
            assertThat(gateway.arrived()).isEmpty();
        }
    }

    @Test
    void an_answer_is_encrypted_and_xmlsec1_opens_it() throws Exception {
        Path xmlsec = xmlsec();
        String steps = "{\"encrypt\": {\"certificate\": %s, \"keyTransport\": \"rsa-oaep\"}}"
                .formatted(Json.compact(Json.mapper().getNodeFactory().stringNode(read("service.crt"))));
        try (var gateway = start("\"response\": [" + steps + "]", "encrypting")) {
            gateway.answers("Content-Type: text/xml", ENVELOPE.getBytes(UTF_8));

            String answer = gateway.post("Content-Type: text/xml", ENVELOPE.getBytes(UTF_8));

            String encrypted = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            assertThat(encrypted).contains("EncryptedData").doesNotContain("1.50");
            Path opened = data.resolve("opened.xml");
            int code = ended(
                    xmlsec.toString(),
                    "--decrypt",
                    "--privkey-pem",
                    KEYS.resolve("service.pem").toString(),
                    "--output",
                    opened.toString(),
                    Files.writeString(data.resolve("encrypted.xml"), withKeyWithin(encrypted))
                            .toString());
            assertThat(code).as(log()).isZero();
            assertThat(Files.readString(opened)).contains("<o:sum>1.50</o:sum>");
        }
    }

    /// With the key where XML Encryption has it: `xmlsec1` knows nothing of the references of WS-Security.
    private static String withKeyWithin(String message) throws Exception {
        var parsers = DocumentBuilderFactory.newInstance();
        parsers.setNamespaceAware(true);
        Document document = parsers.newDocumentBuilder().parse(new InputSource(new StringReader(message)));
        Node key = document.getElementsByTagNameNS(ENCRYPTION, "EncryptedKey").item(0);
        Element content = (Element)
                document.getElementsByTagNameNS(ENCRYPTION, "EncryptedData").item(0);
        Node info = content.getElementsByTagNameNS(SIGNATURE, "KeyInfo").item(0);
        while (info.hasChildNodes()) info.removeChild(info.getFirstChild());
        info.appendChild(key);
        var text = new StringWriter();
        TransformerFactory.newInstance().newTransformer().transform(new DOMSource(document), new StreamResult(text));
        return text.toString();
    }

    @Test
    void what_xmlsec1_encrypts_is_opened() throws Exception {
        Path xmlsec = xmlsec();
        Path plain = Files.writeString(
                data.resolve("plain.xml"),
                ENVELOPE.replace(
                        "<s:Body>",
                        "<s:Header><w:Security xmlns:w=\"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd\"/>"
                                + "</s:Header><s:Body>"));
        Path template = Files.writeString(data.resolve("template.xml"), """
                <EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element">\
                <EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/>\
                <KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#">\
                <EncryptedKey xmlns="http://www.w3.org/2001/04/xmlenc#">\
                <EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"/>\
                <CipherData><CipherValue/></CipherData></EncryptedKey></KeyInfo>\
                <CipherData><CipherValue/></CipherData></EncryptedData>""");
        Path encrypted = data.resolve("encrypted.xml");
        int code = ended(
                xmlsec.toString(),
                "--encrypt",
                "--pubkey-cert-pem",
                KEYS.resolve("service.crt").toString(),
                "--session-key",
                "aes-256",
                "--xml-data",
                plain.toString(),
                "--node-xpath",
                "//*[local-name()='order']",
                "--output",
                encrypted.toString(),
                template.toString());
        assertThat(code).isZero();
        String message = Files.readString(encrypted).replaceFirst("<\\?xml[^>]*>\\s*", "");
        assertThat(message).doesNotContain("1.50");

        assertThat(arrived("\"request\": [" + DECRYPT + "]", message)).contains("<o:sum>1.50</o:sum>");
    }

    private String arrived(String steps, String message) {
        try (var gateway = start(steps, "first")) {
            String answer = gateway.post("Content-Type: text/xml", message.getBytes(UTF_8));
            assertThat(status(answer)).as(answer).isEqualTo(200);
            return gateway.arrived().getFirst();
        }
    }

    private MessageGateway start(String fields, String folder) {
        return MessageGateway.start(
                data.resolve(folder),
                "{\"type\": \"ws-security\", " + fields + "}",
                Map.of("GATEWAY_SECRET_CLIENT", read("client.pem"), "GATEWAY_SECRET_SERVICE", read("service.pem")));
    }

    private static String read(String name) {
        try {
            return Files.readString(KEYS.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int ended(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("xmlsec1.log").toFile())
                .start()
                .waitFor();
    }

    private String log() throws IOException {
        return Files.readString(data.resolve("xmlsec1.log"));
    }

    private static Path xmlsec() {
        var found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "xmlsec1"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "xmlsec1 is not installed");
        return found.orElseThrow();
    }
}

package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.json.Json;
import gateway.policies.identity.SamlAttacks;
import gateway.policies.identity.SamlSmith;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Assertions that programs of other makers have issued: `pysaml2`, `samlify` and `saml`; and what `xmlsec1` says of
/// the
/// signatures of ours.
@Timeout(400)
final class ForeignSamlTest {
    private static final SamlSmith ISSUER = SamlSmith.rsa(2048);

    @TempDir
    private Path data;

    private Path key;
    private Path certificate;

    @BeforeEach
    void write() throws IOException {
        key = Files.writeString(data.resolve("key.pem"), ISSUER.privatePem());
        certificate = Files.writeString(data.resolve("certificate.pem"), ISSUER.pem());
    }

    @Test
    void responses_of_pysaml2_pass_by_its_metadata_when_they_are_good_and_only_then() throws Exception {
        Path xmlsec = xmlsec();
        Path python = ForeignTools.python("pysaml2==7.5.5");
        Path program = ForeignTools.program("saml_issue.py", python.getParent());

        List<String> lines = output(
                data, python.toString(), program.toString(), xmlsec.toString(), key.toString(), certificate.toString());

        String metadata = decoded(lines.getFirst().substring("metadata ".length()));
        String consumer = "\"consumer\": {\"tags\": \"attribute:urn:oid:1.3.6.1.4.1.5923.1.1.1.1\"}";
        try (var gateway = start("form", "metadata", metadata, consumer)) {
            assertAnswered(gateway, lines.subList(1, lines.size()), true);
            assertThat(lines).hasSize(1 + 9 + 6);
        }
        try (var provider = IdentityProvider.start()) {
            provider.tell("application/samlmetadata+xml", metadata);
            String fetched = "\"metadataUrl\": \"%s/saml\", \"metadataSignedBy\": %s"
                    .formatted(provider.url(), json(ISSUER.pem()));
            try (var gateway = startIn("fetched", "form", fetched, consumer)) {
                assertAnswered(gateway, lines.subList(1, lines.size()), true);
                assertThat(provider.asked()).containsExactly("GET /saml");
            }
        }
    }

    @Test
    void responses_of_samlify_pass_when_they_are_good_and_only_then() throws Exception {
        List<String> lines = issued("samlify@2.13.1", "samlify");

        try (var gateway = start("form", "certificates", ISSUER.pem(), "\"maxAge\": \"5m\"")) {
            assertAnswered(gateway, lines, true);
            assertThat(lines).hasSize(4);
        }
    }

    @Test
    void assertions_of_saml_pass_in_headers_when_they_are_good_and_only_then() throws Exception {
        List<String> lines = issued("saml@4.0.0", "saml");

        try (var gateway = start("header", "certificates", ISSUER.pem(), "\"maxAge\": \"5m\"")) {
            assertAnswered(gateway, lines, false);
            assertThat(lines).hasSize(10);
        }
    }

    /// It says whether a signature holds, not what is signed: so wrapped ones are good to it, and only to it.
    @Test
    void xmlsec1_takes_the_signatures_that_are_taken_here() throws Exception {
        Path xmlsec = xmlsec();
        Instant now = Instant.now();
        String good = ISSUER.sign(SamlSmith.assertion("assertion", now), "assertion");
        Map<String, String> attacks = SamlAttacks.responses(ISSUER, SamlSmith.rsa(2048), now);

        assertThat(holds(xmlsec, good)).isTrue();
        assertThat(holds(xmlsec, SamlSmith.response(good, now))).isTrue();
        for (String each : List.of("another name", "signed by another", "a digest of nothing")) {
            assertThat(holds(xmlsec, attacks.get(each))).as(each).isFalse();
        }
        for (String each : List.of("wrapping 3", "wrapping 4", "wrapping 7", "a comment in the name")) {
            assertThat(holds(xmlsec, attacks.get(each))).as(each).isTrue();
        }
    }

    @Test
    void assertions_that_xmlsec1_has_encrypted_are_opened_and_no_weaker_ones() throws Exception {
        Path xmlsec = xmlsec();
        SamlSmith ours = SamlSmith.rsa(2048);
        Path recipient = Files.writeString(data.resolve("recipient.pem"), ours.pem());
        String gcm = "http://www.w3.org/2009/xmlenc11#aes256-gcm";
        String cbc = "http://www.w3.org/2001/04/xmlenc#aes256-cbc";
        String oaep = "rsa-oaep-mgf1p";
        try (var gateway = GuardedGateway.start(
                        data.resolve("gateway"),
                        policy(
                                "form",
                                "\"certificates\": " + json(ISSUER.pem()),
                                "\"decrypt\": {\"env\": \"GATEWAY_SECRET_SAML\"}"),
                        Map.of("GATEWAY_SECRET_SAML", ours.privatePem()));
                var client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            var statuses = new ArrayList<Integer>();
            for (String each : List.of(
                    responseAround(encrypted(xmlsec, recipient, gcm, oaep)),
                    ISSUER.sign(responseAround(encrypted(xmlsec, recipient, gcm, oaep)), "response"),
                    ISSUER.sign(responseAround(encrypted(xmlsec, recipient, cbc, oaep)), "response"),
                    responseAround(encrypted(xmlsec, recipient, cbc, oaep)),
                    ISSUER.sign(responseAround(encrypted(xmlsec, recipient, gcm, "rsa-1_5")), "response"),
                    responseAround(encrypted(xmlsec, certificate, gcm, oaep)))) {
                String text = Base64.getEncoder().encodeToString(each.getBytes(StandardCharsets.UTF_8));
                statuses.add(client.send(request(gateway, text, true), BodyHandlers.ofString())
                        .statusCode());
            }

            assertThat(statuses).containsExactly(200, 200, 200, 401, 401, 401);
        }
    }

    private static String responseAround(String encrypted) {
        return SamlSmith.response(
                "<saml:EncryptedAssertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">" + encrypted
                        + "</saml:EncryptedAssertion>",
                Instant.now());
    }

    /// A new assertion of ours.
    private String encrypted(Path xmlsec, Path recipient, String content, String transport) throws Exception {
        String id = "encrypted-" + UUID.randomUUID();
        String xenc = "http://www.w3.org/2001/04/xmlenc#";
        Path template =
                Files.writeString(data.resolve("template.xml"), """
                <e:EncryptedData xmlns:e="%s" Type="%sElement"><e:EncryptionMethod Algorithm="%s"/>\
                <d:KeyInfo xmlns:d="http://www.w3.org/2000/09/xmldsig#"><e:EncryptedKey>\
                <e:EncryptionMethod Algorithm="%s%s"/><e:CipherData><e:CipherValue/></e:CipherData></e:EncryptedKey>\
                </d:KeyInfo><e:CipherData><e:CipherValue/></e:CipherData></e:EncryptedData>""".formatted(xenc, xenc, content, xenc, transport));
        Path plain =
                Files.writeString(data.resolve("plain.xml"), ISSUER.sign(SamlSmith.assertion(id, Instant.now()), id));
        Path out = data.resolve("encrypted.xml");
        int status = new ProcessBuilder(
                        xmlsec.toString(),
                        "--encrypt",
                        "--pubkey-cert-pem",
                        recipient.toString(),
                        "--session-key",
                        "aes-256",
                        "--xml-data",
                        plain.toString(),
                        "--output",
                        out.toString(),
                        template.toString())
                .redirectErrorStream(true)
                .redirectOutput(data.resolve("xmlsec1.log").toFile())
                .start()
                .waitFor();
        assertThat(status).isZero();
        return Files.readString(out).replaceFirst("<\\?xml[^>]*>", "");
    }

    private boolean holds(Path xmlsec, String xml) throws IOException, InterruptedException {
        Path file = Files.writeString(data.resolve("message.xml"), xml);
        String assertion = "urn:oasis:names:tc:SAML:2.0:assertion:Assertion";
        String response = "urn:oasis:names:tc:SAML:2.0:protocol:Response";
        return new ProcessBuilder(
                                xmlsec.toString(),
                                "--verify",
                                "--id-attr:ID",
                                assertion,
                                "--id-attr:ID",
                                response,
                                "--pubkey-cert-pem",
                                certificate.toString(),
                                file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(data.resolve("xmlsec1.log").toFile())
                        .start()
                        .waitFor()
                == 0;
    }

    private static Path xmlsec() {
        var found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "xmlsec1"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "xmlsec1 is not installed");
        return found.orElseThrow();
    }

    private List<String> issued(String tool, String what) throws IOException, InterruptedException {
        Path folder = ForeignTools.npm(tool);
        Path program = ForeignTools.program("saml_issue.mjs", folder);
        return output(folder, "node", program.toString(), what, key.toString(), certificate.toString());
    }

    /// Lines that a program has said; `samlify` says others too.
    private static List<String> output(Path folder, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.matches("(good|bad|metadata) .*"))
                .toList();
        assertThat(process.waitFor()).isZero();
        return lines;
    }

    private GuardedGateway start(String from, String trust, String text, String more) {
        return startIn("gateway", from, "\"" + trust + "\": " + json(text), more);
    }

    private static String json(String text) {
        return Json.compact(Json.mapper().getNodeFactory().stringNode(text));
    }

    /// @param trust members of that
    private GuardedGateway startIn(String folder, String from, String trust, String more) {
        return GuardedGateway.start(data.resolve(folder), policy(from, trust, more), Map.of());
    }

    private static String policy(String from, String trust, String more) {
        return """
                {"type": "saml", "from": "%s", "audience": "urn:orders", %s,
                 "recipient": "https://api.example.com/orders",
                 "trust": {"issuer": "https://idp.example.com", %s}}""".formatted(from, more, trust);
    }

    /// Each good one passes once.
    private static void assertAnswered(GuardedGateway gateway, List<String> lines, boolean form) throws Exception {
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var answers = new ArrayList<String>();
            var expected = new ArrayList<String>();
            for (String line : lines) {
                String[] words = line.split(" ", -1);
                boolean good = words[0].equals("good");
                String about = good ? "good" : decoded(words[1]);
                for (int i = 0; i < 2; i++) {
                    var answer = client.send(request(gateway, words[1], form), BodyHandlers.ofString());
                    answers.add(about + " " + answer.statusCode());
                    expected.add(about + (good && i == 0 ? " 200" : " 401"));
                }
            }
            assertThat(answers).isEqualTo(expected);
        }
    }

    private static HttpRequest request(GuardedGateway gateway, String base64, boolean form) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"));
        if (!form) return request.header("Authorization", "SAML " + base64).build();
        String content = "SAMLResponse=" + URLEncoder.encode(base64, StandardCharsets.UTF_8);
        return request.header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(content))
                .build();
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}

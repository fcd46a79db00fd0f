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
        return GuardedGateway.start(
                data.resolve("gateway"),
                """
                {"type": "saml", "from": "%s", "audience": "urn:orders", %s,
                 "recipient": "https://api.example.com/orders",
                 "trust": {"issuer": "https://idp.example.com", "%s": %s}}""".formatted(
                                from,
                                more,
                                trust,
                                Json.compact(Json.mapper().getNodeFactory().stringNode(text))),
                Map.of());
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

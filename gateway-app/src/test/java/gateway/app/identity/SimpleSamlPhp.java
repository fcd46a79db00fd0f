package gateway.app.identity;

import static gateway.Eventually.until;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.FreePort;
import gateway.policies.identity.SamlSmith;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;

/// SimpleSAMLphp as Debian's package `simplesamlphp` installs it, an identity provider on PHP's own server with a
/// folder of its own, where `alice` has the password `wonderland`. A test that cannot have it is skipped and says so.
final class SimpleSamlPhp implements AutoCloseable {
    static final String ISSUER = "https://idp.example.com";
    private static final Path PUBLIC = Path.of("/usr/share/simplesamlphp/www");

    private final Path folder;
    private final int port;
    private final Process process;

    private SimpleSamlPhp(Path folder, int port, Process process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /// @param folder an empty one
    /// @param key that it signs with
    /// @param consumer where the assertions for `urn:orders` are shown
    static SimpleSamlPhp start(Path folder, SamlSmith key, String consumer) {
        assumeTrue(Files.isDirectory(PUBLIC), "simplesamlphp is not where Debian's is");
        int port = FreePort.take();
        try {
            configure(folder, port, consumer);
            var command = new ProcessBuilder("php", "-S", "127.0.0.1:" + port, "-t", PUBLIC.toString());
            command.environment().put("SIMPLESAMLPHP_CONFIG_DIR", folder.toString());
            command.environment().put("PHP_CLI_SERVER_WORKERS", "4"); // browsers open connections that they do not use
            Process process = command.redirectErrorStream(true)
                    .redirectOutput(folder.resolve("php.log").toFile())
                    .start();
            var provider = new SimpleSamlPhp(folder, port, process);
            provider.signWith(key);
            until(provider::isUp);
            return provider;
        } catch (IOException e) {
            assumeTrue(false, "php cannot be had: " + e.getMessage());
            throw new UncheckedIOException(e);
        }
    }

    private static void configure(Path folder, int port, String consumer) throws IOException {
        for (String each : new String[] {"certificates", "log", "data", "temporary", "metadata"}) {
            Files.createDirectories(folder.resolve(each));
        }
        Files.writeString(folder.resolve("config.php"), """
                <?php
                $config = [
                    'baseurlpath' => 'http://127.0.0.1:%1$d/', 'certdir' => '%2$s/certificates/',
                    'loggingdir' => '%2$s/log/', 'datadir' => '%2$s/data/', 'tempdir' => '%2$s/temporary/',
                    'metadatadir' => '%2$s/metadata/', 'secretsalt' => 'of-a-test', 'auth.adminpassword' => 'of-a-test',
                    'technicalcontact_email' => 'na@example.com', 'timezone' => 'UTC', 'logging.handler' => 'file',
                    'enable.saml20-idp' => true, 'module.enable' => ['exampleauth' => true],
                    'store.type' => 'phpsession', 'session.phpsession.savepath' => '%2$s/temporary',
                ];
                """.formatted(port, folder));
        Files.writeString(folder.resolve("authsources.php"), """
                <?php
                $config = ['people' => ['exampleauth:UserPass',
                    'alice:wonderland' => ['uid' => ['alice'], 'groups' => ['orders.read', 'staff']]]];
                """);
        Files.writeString(folder.resolve("metadata/saml20-sp-remote.php"), """
                <?php
                $metadata['urn:orders'] = ['AssertionConsumerService' => '%s', 'simplesaml.nameidattribute' => 'uid',
                    'NameIDFormat' => 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'];
                """.formatted(consumer));
    }

    /// From now on; earlier keys are told no more.
    void signWith(SamlSmith key) throws IOException {
        String name = "key-" + System.nanoTime();
        Files.writeString(folder.resolve("certificates/" + name + ".pem"), key.privatePem());
        Files.writeString(folder.resolve("certificates/" + name + ".crt"), key.pem());
        Path hosted = folder.resolve("metadata/saml20-idp-hosted.php");
        Files.writeString(hosted, """
                <?php
                $metadata['%1$s'] = ['host' => '__DEFAULT__', 'auth' => 'people',
                    'privatekey' => '%2$s.pem', 'certificate' => '%2$s.crt',
                    'signature.algorithm' => 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'];
                """.formatted(ISSUER, name));
    }

    private boolean isUp() {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    String metadataUrl() {
        return url() + "/saml2/idp/metadata.php";
    }

    /// What a person opens to be sent to the consumer with an assertion.
    String door() {
        return url() + "/saml2/idp/SSOService.php?spentityid=urn:orders";
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}

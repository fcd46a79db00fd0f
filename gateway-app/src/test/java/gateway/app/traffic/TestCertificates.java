package gateway.app.traffic;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Certificates for 127.0.0.1 that sign themselves, made by openssl.
final class TestCertificates {
    private TestCertificates() {}

    /// @param name of the files `name.crt` and `name.key`
    /// @return the certificate
    static Path make(Path folder, String name) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl to make certificates with");
        String command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
                + " -addext subjectAltName=IP:127.0.0.1 -keyout " + name + ".key -out " + name + ".crt";
        Process made = new ProcessBuilder(command.split(" "))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        if (made.waitFor() != 0) throw new IOException(Files.readString(folder.resolve("openssl.log")));
        return folder.resolve(name + ".crt");
    }
}

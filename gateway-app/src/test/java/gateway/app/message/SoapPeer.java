package gateway.app.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.identity.ForeignTools;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// A service of npm `soap` as a process, and what it and clients by other hands are given: scripts and a WSDL.
final class SoapPeer implements AutoCloseable {
    static final String NPM = "soap@1.13.0";

    private final Process process;
    private final BufferedReader said;
    private final String port;

    private SoapPeer(Process process, BufferedReader said, String port) {
        this.process = process;
        this.said = said;
        this.port = port;
    }

    /// @param script of a service that is told its WSDL and says its port
    /// @param folder for the WSDL
    static SoapPeer serving(String script, Path folder) throws IOException {
        Path npm = ForeignTools.npm(NPM);
        Process process = new ProcessBuilder(
                        "node", script(script, npm).toString(), wsdl(folder, "").toString())
                .directory(npm.toFile())
                .redirectErrorStream(true)
                .start();
        BufferedReader said = process.inputReader(UTF_8);
        String first = said.readLine();
        assertThat(first).startsWith("port ");
        return new SoapPeer(process, said, first.substring("port ".length()));
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /// What a client says until it has ended by itself.
    ///
    /// @param folder for its output
    static String said(ProcessBuilder client, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("client.log");
        Process process = client.redirectOutput(log.toFile()).start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).isTrue();
        return Files.readString(log);
    }

    /// The WSDL of `GetOrder`, written to the folder.
    static Path wsdl(Path folder, String address) throws IOException {
        Path file = script("orders.wsdl", folder);
        return Files.writeString(file, Files.readString(file).replace("ADDRESS", address));
    }

    static Path script(String name, Path folder) {
        return ForeignTools.copied("/soap/" + name, folder);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        said.close();
    }
}

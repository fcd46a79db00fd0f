package gateway.app.identity;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.app.FreePort;
import gateway.app.ProcessSignal;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// OpenLDAP's server on loopback with a folder of its own, below the program and the schemas that Debian's package
/// `slapd` installs. A test that cannot have it is skipped and says so.
final class OpenLdap implements AutoCloseable {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/usr/sbin/slapd"), Path.of("/usr/lib/openldap/slapd"), Path.of("/usr/libexec/slapd"));
    private static final Path SCHEMAS = Path.of("/etc/ldap/schema");
    private static final Path MODULES = Path.of("/usr/lib/ldap");
    private static final int TRIES = 3; // of ports that somebody else takes meanwhile
    private static final long PATIENCE = 30; // seconds

    private final Path folder;
    private final Path program;
    private final int port;
    private final int securePort;
    private Process process;

    private OpenLdap(Path folder, Path program, int port, int securePort, Process process) {
        this.folder = folder;
        this.program = program;
        this.port = port;
        this.securePort = securePort;
        this.process = process;
    }

    /// @param folder an empty one
    /// @param entries in LDIF, the topmost `dc=example,dc=com`
    static OpenLdap start(Path folder, TestAuthority authority, String entries) throws IOException {
        Path program = PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElse(Path.of("slapd"));
        assumeTrue(Files.isExecutable(program), "slapd is not here");
        assumeTrue(
                Files.isDirectory(SCHEMAS) && Files.isDirectory(MODULES), "slapd's schemas are not where Debian's are");
        configure(folder, authority);
        Path ldif = Files.writeString(folder.resolve("entries.ldif"), entries);
        Process load = run(folder, program, "-T", "add", "-f", configuration(folder), "-l", ldif.toString());
        if (!ended(load) || load.exitValue() != 0) throw new IllegalStateException(said(folder));
        for (int i = 0; i < TRIES; i++) {
            int port = FreePort.take();
            int securePort = FreePort.take();
            Process process = serve(folder, program, port, securePort);
            if (process.isAlive()) return new OpenLdap(folder, program, port, securePort, process);
        }
        throw new IllegalStateException(said(folder));
    }

    private static void configure(Path folder, TestAuthority authority) throws IOException {
        Path database = Files.createDirectories(folder.resolve("database"));
        Path identity = authority
                .issue(
                        "RSA",
                        Duration.ofDays(30),
                        "localhost",
                        "localhost") // GnuTLS reads no EC key as it is written there
                .write(folder.resolve("server.pem"));
        Path trusted = authority.write(folder.resolve("authority.pem"));
        Files.writeString(Path.of(configuration(folder)), """
                include %1$s/core.schema
                include %1$s/cosine.schema
                include %1$s/inetorgperson.schema
                modulepath %2$s
                moduleload back_mdb
                moduleload memberof
                moduleload ppolicy
                TLSCACertificateFile %3$s
                TLSCertificateFile %4$s
                TLSCertificateKeyFile %4$s
                security simple_bind=0
                database mdb
                suffix "dc=example,dc=com"
                rootdn "cn=root,dc=example,dc=com"
                directory %5$s
                overlay memberof
                overlay ppolicy
                ppolicy_default "cn=policy,dc=example,dc=com"
                access to attrs=userPassword by anonymous auth by * none
                access to * by dn.exact="cn=gateway,dc=example,dc=com" read by * none
                """.formatted(SCHEMAS, MODULES, trusted, identity, database));
    }

    private static String configuration(Path folder) {
        return folder.resolve("slapd.conf").toString();
    }

    /// Until it takes connections or has ended. Without something to tell it would leave its process for another.
    private static Process serve(Path folder, Path program, int port, int securePort) throws IOException {
        String urls = "ldap://127.0.0.1:" + port + "/ ldaps://127.0.0.1:" + securePort + "/";
        Process process = run(folder, program, "-f", configuration(folder), "-h", urls, "-d", "32768");
        while (process.isAlive()) {
            try (var _ = new Socket(InetAddress.getLoopbackAddress(), securePort)) {
                return process;
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
        return process;
    }

    private static Process run(Path folder, Path program, String... words) throws IOException {
        return new ProcessBuilder(Stream.concat(Stream.of(program.toString()), Stream.of(words))
                        .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static boolean ended(Process process) {
        try {
            return process.waitFor(PATIENCE, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String said(Path folder) throws IOException {
        return "slapd: " + Files.readString(folder.resolve("log"));
    }

    String url() {
        return "ldap://127.0.0.1:" + port;
    }

    /// By name, which its certificate is for.
    String secureUrl() {
        return "ldaps://localhost:" + securePort;
    }

    String startTlsUrl() {
        return "ldap://localhost:" + port;
    }

    /// Ends it as a crash does.
    void kill() {
        process.destroyForcibly();
        ended(process);
    }

    /// Serves again where it served.
    void restart() {
        try {
            process = serve(folder, program, port, securePort);
            if (!process.isAlive()) throw new IllegalStateException(said(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// It keeps its connections and says nothing more, or goes on.
    void freeze(boolean frozen) {
        ProcessSignal.send(frozen ? "STOP" : "CONT", process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ended(process);
    }
}

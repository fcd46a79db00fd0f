package gateway.app.identity;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs of other makers by their names in npm, PyPI and Maven, installed once below `target`. A test that cannot
/// have them is skipped and says which.
public final class ForeignTools {
    private static final Path FOLDER = Path.of("target", "foreign").toAbsolutePath();
    private static final long PATIENCE = 180; // seconds

    private ForeignTools() {}

    /// A folder with the package, for programs of Node.js that lie in it.
    ///
    /// @param name with its version, such as `oidc-provider@9.13.3`
    public static Path npm(String name) {
        Path folder = FOLDER.resolve("npm-" + name.replace('@', '-'));
        if (!Files.exists(folder.resolve("installed"))) {
            installed(name, folder, List.of("npm", "install", "--no-audit", "--no-fund", "--prefix", ".", name));
        }
        return folder;
    }

    /// The interpreter of an environment with the package.
    ///
    /// @param name with its version, such as `jwcrypto==1.6.1`
    public static Path python(String name) {
        Path folder = FOLDER.resolve("python-" + name.replace("==", "-"));
        Path python = folder.resolve("bin/python");
        if (!Files.exists(folder.resolve("installed"))) {
            installed(
                    name,
                    folder,
                    List.of("python3", "-m", "venv", "."),
                    List.of(python.toString(), "-m", "pip", "install", "-q", name));
        }
        return python;
    }

    /// A folder with what is in the archive.
    ///
    /// @param name with its version and kind, such as `org.keycloak:keycloak-quarkus-dist:26.5.6:tar.gz`
    static Path maven(String name) {
        Path folder = FOLDER.resolve("maven-" + name.replace(':', '-'));
        if (!Files.exists(folder.resolve("installed"))) {
            String unpack = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:unpack";
            installed(name, folder, List.of("mvn", "-q", "-B", unpack, "-Dartifact=" + name, "-DoutputDirectory=."));
        }
        return folder;
    }

    @SafeVarargs
    private static void installed(String name, Path folder, List<String>... commands) {
        try {
            Files.createDirectories(folder);
            Path log = folder.resolve("log");
            for (List<String> each : commands) {
                boolean done = ended(new ProcessBuilder(each)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start());
                assumeTrue(done, name + " cannot be had: " + lastLine(log));
            }
            Files.createFile(folder.resolve("installed"));
        } catch (IOException e) {
            assumeTrue(false, name + " cannot be had: " + e.getMessage());
        }
    }

    private static boolean ended(Process process) {
        try {
            boolean ended = process.waitFor(PATIENCE, TimeUnit.SECONDS);
            if (!ended) process.destroyForcibly();
            return ended && process.exitValue() == 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String lastLine(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> !line.isBlank())
                    .reduce((_, later) -> later)
                    .orElse("it said nothing");
        }
    }

    /// A program of the tests of identities, put into `folder`.
    static Path program(String name, Path folder) {
        return copied("/identity/" + name, folder);
    }

    /// A program of the tests' own, put into `folder`.
    ///
    /// @param resource such as `/message/jose_peer.py`
    public static Path copied(String resource, Path folder) {
        try (var content = ForeignTools.class.getResourceAsStream(resource)) {
            Path file = folder.resolve(resource.substring(resource.lastIndexOf('/') + 1));
            Files.write(file, content.readAllBytes());
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

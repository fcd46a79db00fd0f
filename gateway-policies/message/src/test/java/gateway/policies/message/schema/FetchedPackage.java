package gateway.policies.message.schema;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The sources of packages of PyPI and npm, fetched once below `target`. A test that cannot have them is skipped and
/// says which.
public final class FetchedPackage {
    private static final Path FOLDER = Path.of("target", "foreign").toAbsolutePath();
    private static final long PATIENCE = 180; // seconds

    private FetchedPackage() {}

    /// @param name with its version, such as `jsonschema==4.26.0`
    public static Path sources(String name) {
        return unpacked(
                name,
                List.of(
                        "pip",
                        "download",
                        "-q",
                        "--no-binary",
                        name.replaceAll("=.*", ""),
                        "--no-deps",
                        "--no-cache-dir",
                        name));
    }

    /// @param name with its version, such as `json-patch-test-suite@1.1.0`
    public static Path npm(String name) {
        return unpacked(name, List.of("npm", "pack", "--silent", name));
    }

    private static Path unpacked(String name, List<String> command) {
        Path folder = FOLDER.resolve(name.replaceAll("[@=/]+", "-"));
        try {
            if (!Files.exists(folder.resolve("fetched"))) {
                Files.createDirectories(folder);
                run(name, folder, command);
                run(
                        name,
                        folder,
                        List.of("tar", "xzf", only(folder, ".gz", ".tgz").toString()));
                Files.createFile(folder.resolve("fetched"));
            }
            try (Stream<Path> children = Files.list(folder)) {
                return children.filter(Files::isDirectory).findFirst().orElseThrow();
            }
        } catch (IOException e) {
            assumeTrue(false, name + " cannot be had: " + e.getMessage());
            throw new IllegalStateException(e);
        }
    }

    private static Path only(Path folder, String... ends) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Stream.of(ends).anyMatch(file.toString()::endsWith))
                    .findFirst()
                    .orElseThrow(() -> new IOException("nothing came"));
        }
    }

    private static void run(String name, Path folder, List<String> command) throws IOException {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("log").toFile())
                    .start();
            boolean ended = process.waitFor(PATIENCE, TimeUnit.SECONDS);
            if (!ended) process.destroyForcibly();
            assumeTrue(ended && process.exitValue() == 0, name + " cannot be had: " + command.getFirst() + " failed");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

package gateway.app.commands;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A folder that goes with its user.
public record TemporaryFolder(Path path) implements AutoCloseable {
    public static TemporaryFolder create() throws IOException {
        return new TemporaryFolder(Files.createTempDirectory("gateway-"));
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(each);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

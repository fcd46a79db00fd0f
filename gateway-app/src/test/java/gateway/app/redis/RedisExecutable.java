package gateway.app.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/// Where a real `redis-server` is: this machine's own on `PATH`, else the one (6.2) that the embedded-redis
/// library carries, unpacked once.
final class RedisExecutable {
    private static final String FOUND = find();

    private RedisExecutable() {}

    static String path() {
        return FOUND;
    }

    private static String find() {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, "redis-server"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseGet(RedisExecutable::unpack);
    }

    private static String unpack() {
        try {
            var folder = Files.createTempDirectory("redis-server").toFile();
            folder.deleteOnExit();
            var file = ExecutableProvider.newJarResourceProvider(folder).get();
            file.deleteOnExit();
            return file.getAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

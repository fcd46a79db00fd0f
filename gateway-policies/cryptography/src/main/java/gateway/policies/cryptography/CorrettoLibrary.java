package gateway.policies.cryptography;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The jars of Amazon's Corretto Crypto Provider, one for each kind of processor, which lie in ours
/// as they were signed.
///
/// Each holds the same classes and, under one name, another library, so that only one can be on a class path; from
/// here the fitting one is loaded when it is asked for. Such a jar is copied into a folder that only we may enter, and
/// gone again once it is loaded.
final class CorrettoLibrary {
    private static final String PROVIDER = "com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider";
    private static final String UNPACKED = "com.amazon.corretto.crypto.provider.tmpdir";
    private static final Map<String, String> JARS =
            Map.of("amd64", "/native/corretto-linux-x86_64.jar", "aarch64", "/native/corretto-linux-aarch_64.jar");

    private CorrettoLibrary() {}

    /// The resource for the machine that we run on; empty: for none of its kind.
    static Optional<String> jarOfMachine() {
        if (!System.getProperty("os.name", "").equals("Linux")) return Optional.empty();
        return Optional.ofNullable(JARS.get(System.getProperty("os.arch", "")));
    }

    /// A provider that has passed its own tests.
    ///
    /// @throws CorrettoException for a jar that is missing, a folder where nothing may be run, another C library
    static Provider load(String jar) throws CorrettoException {
        try {
            Path folder = Files.createTempDirectory("gateway-corretto");
            System.setProperty(UNPACKED, folder.toString()); // whence nothing is left of what does not load
            Path copy = folder.resolve("provider.jar");
            try {
                copy(jar, copy);
                return load(copy);
            } finally {
                delete(folder);
            }
        } catch (IOException | ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new CorrettoException(e);
        }
    }

    private static void copy(String jar, Path to) throws IOException {
        try (InputStream content = CorrettoLibrary.class.getResourceAsStream(jar)) {
            if (content == null) throw new FileNotFoundException(jar);
            Files.copy(content, to);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
        }
    }

    /// The jar stays open: classes come out of it for as long as the process runs.
    @SuppressWarnings("resource")
    private static Provider load(Path jar) throws IOException, ReflectiveOperationException {
        var loader =
                new URLClassLoader("corretto", new URL[] {jar.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        Class<?> type = loader.loadClass(PROVIDER);
        var provider = (Provider) type.getField("INSTANCE").get(null);
        type.getMethod("assertHealthy").invoke(provider);
        return provider;
    }
}

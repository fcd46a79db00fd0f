package gateway.policies.script.javascript;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Texts that lie beside this package.
final class ScriptResource {
    private ScriptResource() {}

    static String read(String name) {
        try (InputStream in = ScriptResource.class.getResourceAsStream(name)) {
            if (in == null) throw new IllegalStateException("the jar lacks " + name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

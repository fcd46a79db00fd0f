package gateway.app.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// One Lua script that Redis runs atomically, sent by its SHA-1 and in full only when Redis does not know
/// it yet.
final class Script {
    private final String name;
    private final byte[] byDigest;
    private final byte[] inFull;

    private Script(String name, String text) {
        this.name = name;
        this.byDigest = words("EVALSHA", sha1(text));
        this.inFull = words("EVAL", text);
    }

    /// The script whose text is the resources `parts` (`NAME.lua` beside this class), one after the other;
    /// named as the last.
    static Script of(String... parts) {
        var text = new StringBuilder();
        for (String part : parts) text.append(resource(part + ".lua"));
        return new Script(parts[parts.length - 1], text.toString());
    }

    /// The first two words of the command in Redis' protocol.
    byte[] head(boolean full) {
        return full ? inFull : byDigest;
    }

    @Override
    public String toString() {
        return name;
    }

    private static byte[] words(String command, String argument) {
        byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
        String lead = "$" + command.length() + "\r\n" + command + "\r\n$" + bytes.length + "\r\n";
        return (lead + argument + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String resource(String file) {
        try (var in = Script.class.getResourceAsStream(file)) {
            if (in == null) throw new IllegalStateException("no script " + file);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}

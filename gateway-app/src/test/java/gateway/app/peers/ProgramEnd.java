package gateway.app.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What came of a program that somebody else wrote and that has ended by itself.
///
/// @param output all that it printed, in either way
/// @param status 0: it did as it was told
record ProgramEnd(String output, int status) {
    /// Runs it; skips the test when it is not installed.
    ///
    /// @param input all that it is fed
    static ProgramEnd of(String input, String... command) {
        String[] found = Stream.concat(
                        Stream.of(PeerProcess.installed(command[0])),
                        Arrays.stream(command).skip(1))
                .toArray(String[]::new);
        try {
            Process process =
                    new ProcessBuilder(found).redirectErrorStream(true).start();
            try {
                return ended(process, input);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ProgramEnd ended(Process process, String input) throws IOException {
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) throw new IllegalStateException("it does not end: " + output);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return new ProgramEnd(output, process.exitValue());
    }
}

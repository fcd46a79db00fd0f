package gateway.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.stream.Stream;

/// Signals to other processes that Java has no call for.
public final class ProcessSignal {
    private ProcessSignal() {}

    /// By `kill`, which has sent it when this returns.
    ///
    /// @param name without its `SIG`, such as `STOP`
    /// @throws IllegalStateException when one of the processes is not there
    public static void send(String name, long... pids) {
        Stream<String> numbers = Arrays.stream(pids).mapToObj(Long::toString);
        var command = Stream.concat(Stream.of("kill", "-" + name), numbers).toList();
        try {
            int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (exit != 0) throw new IllegalStateException(String.join(" ", command) + " ended with " + exit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

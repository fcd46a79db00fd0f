package gateway.app.demo;

import gateway.app.Shutdown;
import java.io.Console;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `gateway demo`: a gateway, a service behind it and a caller, to look at and to try.
@Command(
        name = "demo",
        description = "Start a gateway with a sample service, one API and keys; send requests and show the answers.")
public final class DemoCommand implements Callable<Integer> {
    @Option(names = "--once", description = "end by itself; exit 0 only if every answer was the expected one")
    private boolean once;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (once) {
            try (var stage = DemoStage.open()) {
                return play(stage) ? 0 : 1;
            }
        }
        var shutdown = Shutdown.armed();
        try {
            var stage = DemoStage.open();
            shutdown.first(waits -> stage.close());
            play(stage);
        } catch (IOException | RuntimeException e) {
            shutdown.disarm();
            throw e;
        }
        shutdown.await();
        return 0;
    }

    private boolean play(DemoStage stage) {
        var screen = new Screen(spec.commandLine().getOut(), isTerminal());
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            boolean asExpected = stage.demo(screen, client).play();
            if (!once) screen.say("\nCtrl-C ends it.");
            return asExpected;
        }
    }

    private static boolean isTerminal() {
        return System.getenv("NO_COLOR") == null
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
    }
}

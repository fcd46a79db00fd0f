package gateway.app.demo;

import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.Shutdown;
import java.io.Console;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.util.Map;
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
    private static final int DATA_PORT = 8080;
    private static final int ADMIN_PORT = 9090;
    private static final int UPSTREAM_PORT = 9001;

    @Option(names = "--once", description = "end by itself; exit 0 only if every answer was the expected one")
    private boolean once;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        var folder = TemporaryFolder.create();
        var upstream = SampleUpstream.start(free(UPSTREAM_PORT));
        Gateway gateway;
        try {
            gateway = Gateway.start(settings(folder));
        } catch (RuntimeException e) {
            upstream.close();
            folder.close();
            throw e;
        }
        Runnable end = () -> end(gateway, upstream, folder);
        var screen = new Screen(spec.commandLine().getOut(), isTerminal());
        boolean asExpected = play(screen, gateway, upstream);
        if (once) {
            end.run();
            return asExpected ? 0 : 1;
        }
        screen.say("\nCtrl-C ends it.");
        Shutdown.await(end);
        return 0;
    }

    private static boolean play(Screen screen, Gateway gateway, SampleUpstream upstream) {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            return new Demo(
                            screen,
                            client,
                            "http://127.0.0.1:" + gateway.address().getPort(),
                            "http://127.0.0.1:" + gateway.adminAddress().getPort(),
                            gateway.adminToken().reveal(),
                            upstream.port())
                    .play();
        }
    }

    private static Settings settings(TemporaryFolder folder) throws IOException {
        return Settings.read(
                Optional.empty(),
                Map.of(
                        "GATEWAY_LISTEN",
                        "127.0.0.1:" + free(DATA_PORT),
                        "GATEWAY_ADMIN_LISTEN",
                        "127.0.0.1:" + free(ADMIN_PORT),
                        "GATEWAY_DATA",
                        folder.path().toString(),
                        "GATEWAY_DRAIN_TIMEOUT",
                        "1s"));
    }

    private static void end(Gateway gateway, SampleUpstream upstream, TemporaryFolder folder) {
        gateway.close();
        upstream.close();
        folder.close();
    }

    private static boolean isTerminal() {
        return System.getenv("NO_COLOR") == null
                && Optional.ofNullable(System.console())
                        .filter(Console::isTerminal)
                        .isPresent();
    }

    /// `port` if nobody listens there, else 0: any free one.
    private static int free(int port) throws IOException {
        try (var taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return taken.getLocalPort();
        } catch (BindException e) {
            return 0;
        }
    }
}

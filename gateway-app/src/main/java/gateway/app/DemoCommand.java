package gateway.app;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/// `gateway demo`
@Command(name = "demo", description = "Try the gateway.")
final class DemoCommand implements Callable<Integer> {
    @Override
    public Integer call() {
        return 1;
    }
}

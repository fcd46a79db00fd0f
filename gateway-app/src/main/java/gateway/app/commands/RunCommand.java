package gateway.app.commands;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/// `gateway run`: serves until told to stop.
@Command(name = "run", description = "Serve until SIGTERM or Ctrl-C (the default).")
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Override
    public Integer call() {
        return gateway.call();
    }
}

package gateway.app.commands;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// A command of commands that ask the admin API of the gateway with these settings; alone it says how it is used.
abstract class CommandGroup implements Callable<Integer> {
    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public final Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return spec.exitCodeOnInvalidInput();
    }

    final AdminConnection admin() {
        return new AdminConnection(gateway.settings());
    }
}

package gateway.app.commands;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `gateway help …`: how a command is called. Picocli's own knows those of the program alone, not theirs.
@Command(name = "help", description = "Tell how a command is called.", helpCommand = true)
final class HelpCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "such as: secrets rekey")
    private List<String> names = List.of();

    @Override
    public Integer call() {
        CommandLine asked = spec.commandLine().getParent();
        for (String name : names) {
            CommandLine below = asked.getSubcommands().get(name);
            if (below == null)
                throw new CommandLine.ParameterException(asked, "there is no command " + told(asked, name));
            asked = below;
        }
        asked.usage(spec.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }

    private static String told(CommandLine above, String name) {
        return above.getCommandSpec().qualifiedName() + " " + name;
    }
}

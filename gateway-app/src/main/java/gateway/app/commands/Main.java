package gateway.app.commands;

import gateway.app.settings.StartException;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DependencyException;
import gateway.wire.client.JavaNameCache;
import gateway.wire.io.IoThreads;
import gateway.wire.io.ThreadTable;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine;

/// The entry point of the gateway process.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        ThreadTable.leaveUntracked(); // before the first virtual thread, whoever starts it
        JavaNameCache.shorten(); // before the first lookup of a name
        IoThreads.leaveBeansUnasked(); // before the first use of XNIO
        int exitCode = CommandLine.ExitCode.SOFTWARE;
        try {
            var gateway = new GatewayCommand(System.getenv());
            exitCode = isPlainStart(arguments)
                    ? serve(gateway)
                    : commandLine(gateway).execute(arguments);
        } catch (Throwable e) { // an Error: picocli lets it pass, and threads that were started would outlive it
            tell(e);
        } finally {
            System.exit(exitCode);
        }
    }

    /// Whether there is nothing to read in the arguments. Such a start, which is what a container does, goes without
    /// picocli: it would take a tenth of the start for itself, and load Groovy where it finds it.
    private static boolean isPlainStart(String[] arguments) {
        return arguments.length == 0 || (arguments.length == 1 && arguments[0].equals("run"));
    }

    private static int serve(GatewayCommand gateway) {
        try {
            return gateway.call();
        } catch (RuntimeException e) {
            return failed(e, new PrintWriter(System.err, true, System.err.charset()));
        }
    }

    /// The commands. Exit codes: 0 done, 1 failed, 2 wrong usage.
    static CommandLine commandLine(Map<String, String> environment) {
        return commandLine(new GatewayCommand(environment));
    }

    private static CommandLine commandLine(GatewayCommand gateway) {
        return new CommandLine(gateway)
                .setExecutionStrategy(arguments -> execute(gateway, arguments))
                .setParameterExceptionHandler(UsageErrors::tell)
                .setExecutionExceptionHandler((failure, command, _) -> failed(failure, command.getErr()));
    }

    /// Picocli overlooks what it does not know when help is asked for, and a command an option of `gateway` that it has
    /// no use for.
    private static int execute(GatewayCommand gateway, CommandLine.ParseResult arguments) {
        for (CommandLine.ParseResult each = arguments; each != null; each = each.subcommand()) {
            if (each.unmatched().isEmpty()) continue;
            throw new CommandLine.UnmatchedArgumentException(each.commandSpec().commandLine(), each.unmatched());
        }
        Integer help = CommandLine.executeHelpRequest(arguments);
        if (help != null) return help;
        try {
            gateway.requireConfig();
        } catch (InvalidConfigException e) {
            throw new CommandLine.ExecutionException(arguments.commandSpec().commandLine(), "--config", e);
        }
        refuseUnheededConfig(gateway, arguments.asCommandLineList().getLast());
        return new CommandLine.RunLast().execute(arguments);
    }

    private static void refuseUnheededConfig(GatewayCommand gateway, CommandLine command) {
        if (!gateway.hasConfig() || !(command.getCommand() instanceof WithoutSettings without)) return;
        throw new CommandLine.ParameterException(
                command,
                "--config: " + command.getCommandName() + " takes no settings file: " + without.insteadOfSettings());
    }

    /// What to do about too little memory is for the operator to decide, who is not helped by where it ended.
    private static void tell(Throwable failure) {
        if (failure instanceof OutOfMemoryError) System.err.println("gateway: out of memory: " + failure.getMessage());
        else failure.printStackTrace();
    }

    static int failed(Exception failure, PrintWriter errors) {
        switch (failure) {
            case InvalidConfigException invalid -> {
                for (ConfigProblem problem : invalid.problems()) errors.println("gateway: " + told(problem));
            }
            case StartException start -> errors.println("gateway: " + start.getMessage());
            case DependencyException away -> errors.println("gateway: " + away.getMessage());
            default -> failure.printStackTrace(errors);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String told(ConfigProblem problem) {
        return problem.pointer().isEmpty() ? problem.message() : problem.toString();
    }
}

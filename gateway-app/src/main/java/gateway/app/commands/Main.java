package gateway.app.commands;

import gateway.app.settings.StartException;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.wire.client.JavaNameCache;
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
        int exitCode = CommandLine.ExitCode.SOFTWARE;
        try {
            exitCode = commandLine(System.getenv()).execute(arguments);
        } catch (Throwable e) { // an Error: picocli lets it pass, and threads that were started would outlive it
            tell(e);
        } finally {
            System.exit(exitCode);
        }
    }

    /// The commands. Exit codes: 0 done, 1 failed, 2 wrong usage.
    static CommandLine commandLine(Map<String, String> environment) {
        return new CommandLine(new GatewayCommand(environment)).setExecutionExceptionHandler(Main::failed);
    }

    /// What to do about too little memory is for the operator to decide, who is not helped by where it ended.
    private static void tell(Throwable failure) {
        if (failure instanceof OutOfMemoryError) System.err.println("gateway: out of memory: " + failure.getMessage());
        else failure.printStackTrace();
    }

    private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult arguments) {
        PrintWriter errors = command.getErr();
        switch (failure) {
            case InvalidConfigException invalid -> {
                for (ConfigProblem problem : invalid.problems()) errors.println("gateway: " + told(problem));
            }
            case StartException start -> errors.println("gateway: " + start.getMessage());
            default -> failure.printStackTrace(errors);
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static String told(ConfigProblem problem) {
        return problem.pointer().isEmpty() ? problem.message() : problem.toString();
    }
}

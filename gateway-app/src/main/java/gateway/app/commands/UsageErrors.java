package gateway.app.commands;

import gateway.json.Suggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Tells of wrong usage as the gateway tells of all else that is wrong: what it is, in a line, and where to read on.
final class UsageErrors {
    private UsageErrors() {}

    /// @return the exit code
    static int tell(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println("gateway: " + told(failure, command, name));
        command.getErr().println("gateway: " + name + " --help tells how it is called");
        return CommandLine.ExitCode.USAGE;
    }

    private static String told(ParameterException failure, CommandLine command, String name) {
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String first = unmatched.getUnmatched().getFirst();
            if (first.startsWith("-")) return "there is no option " + first + suggestion(first, options(command));
            if (command.getSubcommands().isEmpty()) return name + " has no use for " + first;
            return "there is no command " + name + ' ' + first
                    + suggestion(first, command.getSubcommands().keySet());
        }
        String message = String.valueOf(failure.getMessage());
        return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }

    private static List<String> options(CommandLine command) {
        var names = new ArrayList<String>();
        command.getCommandSpec().options().forEach(each -> names.addAll(List.of(each.names())));
        return names;
    }

    private static String suggestion(String said, Collection<String> known) {
        return Suggestion.nearest(said, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("");
    }
}

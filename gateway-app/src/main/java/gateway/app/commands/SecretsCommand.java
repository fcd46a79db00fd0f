package gateway.app.commands;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `gateway secrets …`: what operators do with stored secrets, by the admin API of the gateway with these settings.
@Command(
        name = "secrets",
        description = "Look after stored secrets.",
        subcommands = SecretsCommand.RekeyCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class SecretsCommand extends CommandGroup {
    /// `gateway secrets rekey`.
    @Command(
            name = "rekey",
            description = "Seal all secrets with GATEWAY_SECRETS_KEY that GATEWAY_SECRETS_KEY_PREVIOUS has sealed.")
    static final class RekeyCommand implements Callable<Integer> {
        @ParentCommand
        private SecretsCommand secrets = new SecretsCommand();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() throws InterruptedException {
            JsonNode done = secrets.admin().post("/secrets/rekey", "");
            spec.commandLine()
                    .getOut()
                    .println(done.path("rekeyed").asInt() + " of "
                            + done.path("secrets").asInt() + " secrets sealed anew");
            return 0;
        }
    }
}

package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.DefinitionSchemas;
import gateway.app.settings.SettingsFile;
import gateway.config.DefinitionReader;
import gateway.config.PolicySets;
import gateway.json.Json;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `gateway import …`: makes definitions of what others describe.
@Command(
        name = "import",
        description = "Make a definition of what describes an API elsewhere.",
        subcommands = ImportCommand.OpenApiCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class ImportCommand implements Callable<Integer> {
    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return spec.exitCodeOnInvalidInput();
    }

    /// `gateway import openapi FILE`: prints the definition of an API whose requests are held to the document.
    @Command(
            name = "openapi",
            description = "Print the definition of an API whose requests are held to an OpenAPI document.")
    static final class OpenApiCommand implements Callable<Integer> {
        @ParentCommand
        private ImportCommand parent = new ImportCommand();

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Parameters(paramLabel = "FILE", description = "OpenAPI 3.0 or 3.1, JSON or YAML")
        private Path file = Path.of("");

        @Option(names = "--id", description = "of the API (default: made of the document's title)")
        private @Nullable String id;

        @Option(names = "--upstream", paramLabel = "URL", description = "default: the document's first server")
        private @Nullable String upstream;

        @Option(
                names = "--resource",
                paramLabel = "ID",
                description = "under which the document is stored (default: the file's name)")
        private @Nullable String resource;

        @Override
        public Integer call() {
            var document = new DescribedService(SettingsFile.read(file));
            String stored = resource == null ? String.valueOf(file.getFileName()) : resource;
            String definition = Json.pretty(document.definition(id, upstream, stored));
            Settings settings = parent.gateway.settings();
            new DefinitionReader(settings.plugins().load(DefinitionSchemas::check), settings.allowedNetworks())
                    .read(definition, PolicySets.ANY);
            spec.commandLine().getOut().println(definition);
            return 0;
        }
    }
}

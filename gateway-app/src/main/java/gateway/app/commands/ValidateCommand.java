package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.DefinitionSchemas;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicySets;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `gateway validate FILE…`: says what is wrong with definition files, for a gateway with these settings.
@Command(name = "validate", description = "Check files with API definitions; every problem is named.")
final class ValidateCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "JSON file with one API definition")
    private List<Path> files = List.of();

    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Settings settings = gateway.settings();
        var reader =
                new DefinitionReader(settings.plugins().load(DefinitionSchemas::check), settings.allowedNetworks());
        boolean valid = true;
        for (Path file : files) valid &= isValid(file, reader);
        return valid ? 0 : 1;
    }

    private boolean isValid(Path file, DefinitionReader reader) {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter errors = spec.commandLine().getErr();
        try {
            ApiDefinition api = reader.read(Files.readString(file), PolicySets.ANY);
            out.println(file + ": valid (" + api.id() + ")");
            return true;
        } catch (InvalidConfigException e) {
            for (ConfigProblem problem : e.problems()) errors.println(file + ": " + problem);
        } catch (NoSuchFileException e) {
            errors.println(file + ": there is no such file");
        } catch (CharacterCodingException e) {
            errors.println(file + ": expected UTF-8");
        } catch (IOException e) {
            errors.println(file + ": cannot be read: " + e.getMessage());
        }
        return false;
    }
}

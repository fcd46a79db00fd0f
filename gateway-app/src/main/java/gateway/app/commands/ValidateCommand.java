package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.DefinitionSchemas;
import gateway.app.memory.DocumentFiles;
import gateway.config.ApiDefinition;
import gateway.config.DefinitionReader;
import gateway.config.PolicySets;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.service.DocumentId;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `gateway validate FILE…`: says what is wrong with files of documents, for a gateway with these settings.
@Command(
        name = "validate",
        description = "Check files with API definitions, or all documents of a data folder; every problem is named.")
final class ValidateCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "JSON file with one API definition, or with what its folder is called after (policy-sets,"
                    + " plans, …); or a folder that has such folders")
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
        PrintWriter errors = spec.commandLine().getErr();
        try {
            return Files.isDirectory(file) ? isFolderValid(file, reader) : isFileValid(file, reader);
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

    /// By itself: what it uses is taken for there.
    private boolean isFileValid(Path file, DefinitionReader reader) throws IOException {
        Optional<DocumentId> named = DocumentFiles.named(file);
        if (named.isEmpty()) {
            ApiDefinition api = reader.read(Files.readString(file), PolicySets.ANY);
            valid(file, api.id());
            return true;
        }
        DocumentId id = named.get();
        List<ConfigProblem> problems = DocumentsCheck.alone(reader, id, DocumentFiles.text(id, file));
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        valid(file, id.id());
        return true;
    }

    private boolean isFolderValid(Path folder, DefinitionReader reader) throws IOException {
        if (!DocumentFiles.areIn(folder)) {
            throw new InvalidConfigException("", "expected a folder with apis, policy-sets, plans, … or global.json");
        }
        DocumentFiles files = DocumentFiles.in(folder);
        PrintWriter errors = spec.commandLine().getErr();
        for (ConfigProblem each : files.problems()) errors.println(folder + each.pointer() + ": " + each.message());
        Set<DocumentId> flawed = new HashSet<>();
        for (ConfigProblem each : DocumentsCheck.together(reader, files.texts())) {
            DocumentId id = DocumentId.ofPointer(each.pointer()).orElseThrow();
            String within = each.pointer().substring(id.pointer().length());
            errors.println(DocumentFiles.file(folder, id) + ": " + new ConfigProblem(within, each.message()));
            flawed.add(id);
        }
        for (DocumentId id : files.texts().keySet()) {
            if (!flawed.contains(id)) valid(DocumentFiles.file(folder, id), id.id());
        }
        return files.problems().isEmpty() && flawed.isEmpty();
    }

    private void valid(Path file, String id) {
        spec.commandLine().getOut().println(file + ": valid (" + id + ")");
    }
}

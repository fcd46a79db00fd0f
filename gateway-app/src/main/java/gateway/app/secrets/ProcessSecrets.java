package gateway.app.secrets;

import gateway.http.Secret;
import gateway.service.SecretSource;
import gateway.service.SecretUnavailableException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/// The secrets of this process: what it was started with, what lies in its folder of secrets, and the keys that open
/// stored ones.
public final class ProcessSecrets implements SecretSource {
    private final SecretDocuments documents;
    private final Map<String, Secret> variables;
    private final SecretFiles files;

    /// @param variables those of the environment that are called `GATEWAY_SECRET_…`
    /// @param folder empty when there is none
    public ProcessSecrets(SecretDocuments documents, Map<String, Secret> variables, Optional<Path> folder) {
        this.documents = documents;
        this.variables = Map.copyOf(variables);
        this.files = new SecretFiles(folder);
    }

    @Override
    public Secret stored(String id, String document) {
        return documents.open(id, document);
    }

    @Override
    public Secret written(String document, String envelope) {
        return new Secret(documents.keys().open(document, envelope));
    }

    @Override
    public Secret ofKey(String id, String envelope) {
        return documents.credentials().open(id, envelope);
    }

    @Override
    public Secret variable(String name) {
        Secret found = variables.get(name);
        if (found == null) throw new SecretUnavailableException("the variable is not set");
        return found;
    }

    @Override
    public Secret file(String name) {
        return files.read(name);
    }

    /// What the files of these names look like now.
    Map<String, String> stamps(Collection<String> names) {
        return files.stamps(names);
    }
}

package gateway.app.admin;

import gateway.app.secrets.DefinitionSecrets;
import gateway.app.secrets.KeyCredentials;
import gateway.http.Response;
import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.key.ApiKey;
import gateway.key.KeyPage;
import gateway.key.KeyStore;
import gateway.key.StoredKey;
import gateway.service.DefinitionChange;
import gateway.service.DefinitionSet;
import gateway.service.SecretUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whatever is sealed, under another key: stored secrets, those within definitions, and those of API keys.
final class RekeyResource {
    private static final int PAGE = 1000;

    private final Definitions definitions;
    private final DefinitionSecrets secrets;
    private final KeyStore keys;

    RekeyResource(Definitions definitions, DefinitionSecrets secrets, KeyStore keys) {
        this.definitions = definitions;
        this.secrets = secrets;
        this.keys = keys;
    }

    /// @param changes what sealing all of one revision anew makes
    /// @param secrets how many there are in it
    /// @param anew how many of them another key had sealed
    private record Planned(List<DefinitionChange> changes, int secrets, int anew) {
        static final Planned NONE = new Planned(List.of(), 0, 0);
    }

    List<AdminRoute> routes() {
        return List.of(AdminRoute.of(
                        "POST",
                        "/secrets/rekey",
                        "rekeySecrets",
                        "Seals all secrets anew that another key than the current one has sealed, those within"
                                + " definitions among them",
                        this::rekey)
                .needing(AdminRight.SECRETS)
                .takingNothing()
                .answering(200, "stored and live", "Rekeyed")
                .answering(409, "other nodes wrote meanwhile")
                .askingStore());
    }

    private Response rekey(AdminCall call) {
        var planned = new Planned[] {Planned.NONE};
        definitions.write(call.author(), call.inWords(), base -> {
            planned[0] = planned(base); // another node may have written since
            return planned[0].changes();
        });
        List<ApiKey> holders = keysWithSecrets();
        int rekeyed = planned[0].anew();
        for (ApiKey each : holders) if (isRekeyed(each.id())) rekeyed++;
        return Answers.ok(Json.mapper()
                .createObjectNode()
                .put("secrets", planned[0].secrets() + holders.size())
                .put("rekeyed", rekeyed));
    }

    /// @throws InvalidConfigException with those that no key at hand opens: then none is sealed anew
    private Planned planned(DefinitionSet base) {
        var changes = new ArrayList<DefinitionChange>();
        var problems = new ArrayList<ConfigProblem>();
        var counts = new int[2];
        base.documents().forEach((id, before) -> {
            DefinitionSecrets.Resealed resealed = secrets.resealed(id, before);
            problems.addAll(resealed.problems());
            counts[0] += resealed.secrets();
            counts[1] += resealed.anew();
            if (resealed.anew() > 0)
                changes.add(new DefinitionChange(id, Optional.of(before), Optional.of(resealed.text())));
        });
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return new Planned(changes, counts[0], counts[1]);
    }

    private List<ApiKey> keysWithSecrets() {
        var found = new ArrayList<ApiKey>();
        Optional<String> cursor = Optional.of("");
        while (cursor.isPresent()) {
            KeyPage page = keys.list("", cursor.get(), PAGE);
            for (StoredKey each : page.keys()) if (KeyCredentials.hasSealed(each.key())) found.add(each.key());
            cursor = page.next();
        }
        return found;
    }

    /// As it stands now: somebody may have written it since it was listed.
    private boolean isRekeyed(String id) {
        Optional<StoredKey> now = keys.find(id);
        if (now.isEmpty()) return false;
        try {
            Optional<ApiKey> after =
                    secrets.documents().credentials().resealed(now.get().key());
            return after.isPresent()
                    && keys.replace(after.get(), Optional.of(now.get().version()))
                            .isPresent();
        } catch (SecretUnavailableException e) {
            throw new InvalidConfigException("/keys/" + id, String.valueOf(e.getMessage()));
        }
    }
}

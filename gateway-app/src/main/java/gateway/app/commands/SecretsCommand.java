package gateway.app.commands;

import gateway.app.Settings;
import gateway.app.admin.AdminTokenFile;
import gateway.app.settings.StartException;
import gateway.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
final class SecretsCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    @ParentCommand
    private GatewayCommand gateway = new GatewayCommand(Map.of());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return spec.exitCodeOnInvalidInput();
    }

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
            JsonNode done = secrets.post("/secrets/rekey");
            spec.commandLine()
                    .getOut()
                    .println(done.path("rekeyed").asInt() + " of "
                            + done.path("secrets").asInt() + " secrets sealed anew");
            return 0;
        }
    }

    private JsonNode post(String path) throws InterruptedException {
        Settings settings = gateway.settings();
        String host = settings.adminListen().host();
        String asked = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
        var uri = URI.create("http://" + (asked.contains(":") ? "[" + asked + "]" : asked) + ":"
                + settings.adminListen().port() + "/admin/v1" + path);
        try (var client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build()) {
            var answer = client.send(
                    HttpRequest.newBuilder(uri)
                            .timeout(TIMEOUT)
                            .header("Authorization", "Bearer " + token(settings))
                            .POST(BodyPublishers.noBody())
                            .build(),
                    BodyHandlers.ofString());
            JsonNode content = Json.parse(answer.body());
            if (answer.statusCode() == 200) return content;
            throw new StartException(uri + " answers " + answer.statusCode() + ": "
                    + content.path("detail").asString(""));
        } catch (IOException e) {
            throw new StartException("no gateway answers at " + uri + " (" + e + ")");
        }
    }

    private static String token(Settings settings) throws IOException {
        if (settings.adminToken().isPresent())
            return settings.adminToken().get().reveal();
        Path file = AdminTokenFile.in(settings.data());
        return Files.readString(file).strip();
    }
}

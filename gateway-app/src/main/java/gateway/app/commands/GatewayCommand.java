package gateway.app.commands;

import gateway.app.Gateway;
import gateway.app.Settings;
import gateway.app.settings.SettingsFile;
import gateway.app.settings.VersionText;
import gateway.app.stop.Shutdown;
import gateway.json.InvalidConfigException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/// `gateway`: without a command it serves.
@Command(
        name = "gateway",
        description = "An API gateway: keys, rate limits and quotas in front of your services.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT, // every command has --help
        versionProvider = VersionText.class,
        subcommands = {
            RunCommand.class,
            DemoCommand.class,
            ValidateCommand.class,
            ImportCommand.class,
            SettingsCommand.class,
            BenchCommand.class,
            LoadCommand.class,
            PlotCommand.class,
            SecretsCommand.class,
            CacheCommand.class,
            CacheEntriesCommand.class,
            HelpCommand.class
        })
final class GatewayCommand implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "settings, YAML or JSON; GATEWAY_* variables come before it")
    private @Nullable Path config;

    private final Map<String, String> environment;

    GatewayCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Integer call() {
        return serve(settings -> {
            Gateway gateway = Gateway.start(settings);
            return new Serving(gateway.ending(), gateway::watchJvm);
        });
    }

    /// What serves until it is told to stop.
    ///
    /// @param whenServing is done once it does
    record Serving(Shutdown.Ending ending, Runnable whenServing) {}

    int serve(Function<Settings, Serving> start) {
        Settings settings = settings();
        var shutdown = Shutdown.armed();
        try {
            Serving serving = start.apply(settings);
            shutdown.first(serving.ending());
            serving.whenServing().run();
        } catch (RuntimeException | Error e) { // armed, it would end the process with 0
            shutdown.disarm();
            throw e;
        }
        shutdown.await();
        return 0;
    }

    /// @throws InvalidConfigException when the settings file that was named cannot be read
    void requireConfig() {
        if (config != null) SettingsFile.read(config);
    }

    boolean hasConfig() {
        return config != null;
    }

    Settings settings() {
        return Settings.read(Optional.ofNullable(config), environment);
    }
}

package gateway.app.plugins;

import gateway.app.settings.StartException;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.policy.ConditionType;
import gateway.policy.PolicyType;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The jars of a folder, in order of their names, each with a class loader of its own above which the gateway's lies:
/// what one brings along, no other one sees. They are read once and stay for as long as the process.
final class Plugins {
    private static final Logger LOG = LoggerFactory.getLogger(Plugins.class);
    private static final Pattern POLICY = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");
    private static final Pattern CONDITION = Pattern.compile("[a-z][A-Za-z0-9]*");

    private final Path folder;
    private final BrokenPlugins broken;
    private final DescriptionCheck described;
    private final List<URLClassLoader> used = new ArrayList<>();

    /// What one jar brings.
    private record Plugin(List<PolicyType> policies, List<ConditionType> conditions) {
        List<Consumer<ConfigNode>> readers() {
            var readers = new ArrayList<Consumer<ConfigNode>>();
            policies.forEach(type -> readers.add(type::read));
            conditions.forEach(type -> readers.add(type::read));
            return readers;
        }
    }

    /// Why a jar cannot be used.
    private static final class BrokenPluginException extends Exception {
        private static final long serialVersionUID = 1L;

        BrokenPluginException(String message) {
            super(message);
        }
    }

    Plugins(Path folder, BrokenPlugins broken, DescriptionCheck described) {
        this.folder = folder;
        this.broken = broken;
        this.described = described;
    }

    /// @throws StartException when there is no such folder, or one is broken and that is to refuse the start
    PolicyRegistry addTo(PolicyRegistry own) {
        PolicyRegistry registry = own;
        var faults = new ArrayList<String>();
        for (Path jar : jars()) {
            try {
                registry = added(registry, jar);
            } catch (BrokenPluginException e) {
                faults.add(jar.getFileName() + ": " + e.getMessage());
            }
        }
        if (broken == BrokenPlugins.REFUSE && !faults.isEmpty()) {
            used.forEach(Plugins::close);
            throw new StartException("plugins in " + folder + " cannot be used: " + String.join("; ", faults));
        }
        for (String fault : faults) LOG.error("plugin left out: {}", fault);
        return registry;
    }

    private List<Path> jars() {
        try (var files = Files.newDirectoryStream(folder, "*.jar")) {
            var jars = new ArrayList<Path>();
            files.forEach(jars::add);
            jars.sort(null);
            return jars;
        } catch (IOException e) {
            throw new StartException(
                    "cannot read the folder of plugins (" + e + "); set " + PluginSettingTable.PLUGINS.variable());
        }
    }

    private PolicyRegistry added(PolicyRegistry registry, Path jar) throws BrokenPluginException {
        checkJar(jar);
        URLClassLoader loader = loader(jar);
        try {
            PolicyRegistry more = with(registry, loader, jar);
            used.add(loader);
            return more;
        } catch (BrokenPluginException e) {
            close(loader);
            throw e;
        } catch (IllegalStateException e) { // a clash
            close(loader);
            throw new BrokenPluginException(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) { // code of others: whatever it throws is its own fault
            close(loader);
            if (e instanceof VirtualMachineError) throw e;
            throw new BrokenPluginException(reason(e));
        }
    }

    /// Why in the words of the plugin: what a service loader wraps says only that it failed.
    private static String reason(Throwable failure) {
        Throwable cause = failure.getCause();
        return cause == null ? failure.toString() : failure + ": " + cause;
    }

    private static void checkJar(Path jar) throws BrokenPluginException {
        try (var zip = new ZipFile(jar.toFile())) {
            if (zip.size() == 0) throw new BrokenPluginException("the jar is empty");
        } catch (IOException e) {
            throw new BrokenPluginException("it is no jar: " + e.getMessage());
        }
    }

    private PolicyRegistry with(PolicyRegistry registry, ClassLoader loader, Path jar) throws BrokenPluginException {
        var plugin = new Plugin(found(PolicyType.class, loader), found(ConditionType.class, loader));
        if (plugin.policies().isEmpty() && plugin.conditions().isEmpty()) {
            throw new BrokenPluginException("it names no policy type and no condition type in META-INF/services");
        }
        List<String> policies = plugin.policies().stream().map(PolicyType::name).toList();
        List<String> conditions =
                plugin.conditions().stream().map(ConditionType::name).toList();
        checkNames(policies, conditions);
        PolicyRegistry more = registry.with(plugin.policies(), plugin.conditions());
        described.check(more, plugin.readers());
        LOG.info("plugin {}: policies {}, conditions {}", jar.getFileName(), policies, conditions);
        return more;
    }

    /// Lets go of the jar: what could not be used is not to be held open for as long as the process lives.
    private static void close(URLClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            LOG.warn("{} cannot be closed: {}", loader.getName(), e.toString());
        }
    }

    private static URLClassLoader loader(Path jar) throws BrokenPluginException {
        try {
            return new URLClassLoader(
                    "plugin " + jar.getFileName(), new URL[] {jar.toUri().toURL()}, Plugins.class.getClassLoader());
        } catch (IOException e) {
            throw new BrokenPluginException(e.toString());
        }
    }

    /// Those of the jar itself: the loader finds those of the gateway too.
    private static <T> List<T> found(Class<T> type, ClassLoader loader) {
        return ServiceLoader.load(type, loader).stream()
                .filter(provider -> loader.equals(provider.type().getClassLoader()))
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private static void checkNames(List<String> policies, List<String> conditions) throws BrokenPluginException {
        for (String name : policies) {
            if (!POLICY.matcher(name).matches()) {
                throw new BrokenPluginException("expected a policy called like \"rate-limit\", got \"" + name + "\"");
            }
        }
        for (String name : conditions) {
            if (!CONDITION.matcher(name).matches()) {
                throw new BrokenPluginException("expected a condition called like \"claims\", got \"" + name + "\"");
            }
        }
    }
}

package gateway.app.plugins;

import gateway.app.settings.StartException;
import gateway.config.PolicyRegistry;
import gateway.json.ConfigNode;
import gateway.policy.ConditionType;
import gateway.policy.PolicyType;
import gateway.policy.Stage;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
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
    private final List<Plugin> used = new ArrayList<>();
    private final SortedMap<Path, String> faults = new TreeMap<>(); // in order of the jars

    /// What one jar brings.
    ///
    /// @param policyNames asked for once
    /// @param conditionNames likewise
    private record Plugin(
            Path jar,
            URLClassLoader loader,
            List<PolicyType> policies,
            List<ConditionType> conditions,
            List<String> policyNames,
            List<String> conditionNames) {
        List<Consumer<ConfigNode>> readers() {
            var readers = new ArrayList<Consumer<ConfigNode>>();
            policies.forEach(type -> readers.add(type::read));
            conditions.forEach(type -> readers.add(type::read));
            return readers;
        }
    }

    /// What is done with the code of a plugin.
    private interface Use<T> {
        T made() throws BrokenPluginException;
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
        for (Path jar : jars()) {
            try {
                used.add(opened(jar));
            } catch (BrokenPluginException e) {
                tell(jar, e);
            }
        }
        PolicyRegistry registry = withAll(own).orElseGet(() -> withEach(own));
        if (broken == BrokenPlugins.REFUSE && !faults.isEmpty()) {
            used.forEach(plugin -> close(plugin.loader()));
            throw new StartException("plugins in " + folder + " cannot be used: " + String.join("; ", faults.values()));
        }
        for (String fault : faults.values()) LOG.error("plugin left out: {}", fault);
        for (Plugin each : used) {
            Path name = each.jar().getFileName();
            LOG.info("plugin {}: policies {}, conditions {}", name, each.policyNames(), each.conditionNames());
        }
        return registry;
    }

    private void tell(Path jar, BrokenPluginException why) {
        faults.put(jar, jar.getFileName() + ": " + why.getMessage());
    }

    /// Describing all definitions takes long, and once is enough where nothing is wrong.
    ///
    /// @return empty when something is
    private Optional<PolicyRegistry> withAll(PolicyRegistry own) {
        if (used.isEmpty()) return Optional.of(own);
        try {
            return Optional.of(sound(() -> described(own, used)));
        } catch (BrokenPluginException _) { // one by one they tell whose fault it is
            return Optional.empty();
        }
    }

    private PolicyRegistry withEach(PolicyRegistry own) {
        PolicyRegistry registry = own;
        for (Plugin each : List.copyOf(used)) {
            PolicyRegistry before = registry;
            try {
                registry = sound(() -> described(before, List.of(each)));
            } catch (BrokenPluginException e) {
                close(each.loader());
                used.remove(each);
                tell(each.jar(), e);
            }
        }
        return registry;
    }

    private PolicyRegistry described(PolicyRegistry registry, List<Plugin> plugins) {
        PolicyRegistry all = registry.with(
                plugins.stream().flatMap(each -> each.policies().stream()).toList(),
                plugins.stream().flatMap(each -> each.conditions().stream()).toList());
        described.check(
                all, plugins.stream().flatMap(each -> each.readers().stream()).toList());
        return all;
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

    private static Plugin opened(Path jar) throws BrokenPluginException {
        checkJar(jar);
        URLClassLoader loader = loader(jar);
        try {
            return sound(() -> found(jar, loader));
        } catch (BrokenPluginException e) {
            close(loader);
            throw e;
        }
    }

    private static <T> T sound(Use<T> use) throws BrokenPluginException {
        try {
            return use.made();
        } catch (BrokenPluginException e) {
            throw e;
        } catch (IllegalStateException e) { // a clash
            throw new BrokenPluginException(String.valueOf(e.getMessage()));
        } catch (Exception | Error e) { // code of others: whatever it throws is its own fault
            if (e instanceof VirtualMachineError && !(e instanceof StackOverflowError)) throw e;
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

    private static Plugin found(Path jar, URLClassLoader loader) throws BrokenPluginException {
        List<PolicyType> policies = found(PolicyType.class, loader);
        List<ConditionType> conditions = found(ConditionType.class, loader);
        if (policies.isEmpty() && conditions.isEmpty()) {
            throw new BrokenPluginException("it names no policy type and no condition type in META-INF/services");
        }
        List<String> policyNames = names(policies, PolicyType::name);
        List<String> conditionNames = names(conditions, ConditionType::name);
        checkNames(policyNames, conditionNames);
        for (PolicyType each : policies) checkStages(each);
        return new Plugin(jar, loader, policies, conditions, policyNames, conditionNames);
    }

    private static <T> List<String> names(List<T> types, Function<T, String> name) {
        return types.stream()
                .map(type -> Objects.requireNonNull(name.apply(type), "name()"))
                .toList();
    }

    /// Policies that hold others ask all types for these: one that fails would fail them.
    private static void checkStages(PolicyType type) throws BrokenPluginException {
        Stage stage = Objects.requireNonNull(type.stage(), "stage()");
        Objects.requireNonNull(type.outages(), "outages()");
        if (!Objects.requireNonNull(type.stages(), "stages()").contains(stage)) {
            throw new BrokenPluginException("expected stage() of " + type.name() + " among its stages()");
        }
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

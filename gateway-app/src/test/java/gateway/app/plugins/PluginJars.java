package gateway.app.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;

/// Makes jars of plugins from sources.
///
/// @param plugins where they go
/// @param work where their classes are made
record PluginJars(Path plugins, Path work) {
    static final String POLICIES = "META-INF/services/gateway.policy.PolicyType";

    void compiled(String jar, String service, String name, String text) throws IOException {
        Path source =
                Files.writeString(Files.createDirectories(work.resolve(name)).resolve(name + ".java"), text);
        var entries = new HashMap<String, byte[]>();
        entries.put(service, ("example." + name).getBytes(StandardCharsets.UTF_8));
        addClasses(compile(source), entries);
        jar(jar, entries);
    }

    Path compile(Path source) throws IOException {
        Path classes = Files.createTempDirectory(work, "classes");
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(exit).isZero();
        return classes;
    }

    static void addClasses(Path classes, Map<String, byte[]> entries) throws IOException {
        try (var files = Files.newDirectoryStream(classes.resolve("example"), "*.class")) {
            for (Path file : files) entries.put("example/" + file.getFileName(), Files.readAllBytes(file));
        }
    }

    void jar(String name, Map<String, byte[]> entries) throws IOException {
        try (var jar = new ZipOutputStream(Files.newOutputStream(plugins.resolve(name)))) {
            for (Map.Entry<String, byte[]> each : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(each.getKey()));
                jar.write(each.getValue());
            }
        }
    }
}

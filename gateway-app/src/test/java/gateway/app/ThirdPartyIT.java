package gateway.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The notices in the jar, against what the jar carries.
class ThirdPartyIT {
    private static final Pattern IN_REPOSITORY = Pattern.compile(".*/([^/]+)/([^/]+)/\\1-\\2[^/]*\\.jar");
    private static final Pattern INSIDE =
            Pattern.compile("(?:[^/]+/)+?shaded/(?:(?:com|org|io|tools|nonapi)/)?(?:[a-z][a-z0-9_]*/)?");

    @Test
    void every_library_of_the_jar_stands_in_its_notices_and_every_text_they_name_is_there() throws IOException {
        try (var product = new JarFile(System.getProperty("gateway.jar"))) {
            String notices = text(product);
            List<String> libraries = libraries(product);

            assertThat(libraries).hasSizeGreaterThan(50);
            assertThat(libraries)
                    .allSatisfy(library -> assertThat(notices).containsPattern(":" + Pattern.quote(library) + "[, ]"));
            assertThat(Pattern.compile("META-INF/[A-Za-z.-]+").matcher(notices).results())
                    .allSatisfy(
                            text -> assertThat(product.getEntry(text.group())).isNotNull());
        }
    }

    /// What libraries have brought along under names of their own: another one among them is to be named first.
    @Test
    void libraries_within_libraries_are_those_that_are_named() throws IOException {
        try (var product = new JarFile(System.getProperty("gateway.jar"));
                Stream<JarEntry> entries = product.stream()) {
            assertThat(entries.map(JarEntry::getName)
                            .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF"))
                            .map(INSIDE::matcher)
                            .filter(Matcher::lookingAt)
                            .map(Matcher::group)
                            .distinct())
                    .containsExactlyInAnyOrder(
                            "com/hazelcast/shaded/com/fasterxml/",
                            "com/hazelcast/shaded/com/zaxxer/",
                            "com/hazelcast/shaded/io/github/",
                            "com/hazelcast/shaded/nonapi/io/",
                            "com/hazelcast/shaded/org/everit/",
                            "com/hazelcast/shaded/org/jctools/",
                            "com/hazelcast/shaded/org/json/",
                            "com/hazelcast/shaded/org/objenesis/",
                            "com/hazelcast/shaded/org/snakeyaml/",
                            "com/hazelcast/shaded/tools/jackson/",
                            "com/nimbusds/jose/shaded/gson/",
                            "com/nimbusds/jose/shaded/jcip/",
                            "groovyjarjarantlr4/v4/runtime/shaded/com/carrotsearch/",
                            "io/netty/util/internal/shaded/org/jctools/",
                            "io/opentelemetry/context/internal/shaded/",
                            "io/opentelemetry/sdk/trace/internal/shaded/jctools/",
                            "io/prometheus/metrics/shaded/com_google_protobuf_4_35_0/",
                            "tools/jackson/core/internal/shaded/fdp/");
        }
    }

    private static String text(JarFile product) throws IOException {
        try (var notices = product.getInputStream(product.getEntry("META-INF/THIRD-PARTY.md"))) {
            return new String(notices.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// The artifacts of the class path that the shaded jar holds.
    private static List<String> libraries(JarFile product) throws IOException {
        List<String> found = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            var parts = IN_REPOSITORY.matcher(Path.of(place).toUri().getPath());
            if (parts.matches() && isPartOf(place, product)) {
                found.add(parts.group(1));
            }
        }
        return found;
    }

    private static boolean isPartOf(String library, JarFile product) throws IOException {
        try (var jar = new JarFile(library);
                Stream<JarEntry> entries = jar.stream()) {
            return entries.map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.endsWith("-info.class"))
                    .findFirst()
                    .filter(name -> product.getEntry(name) != null)
                    .isPresent();
        }
    }
}

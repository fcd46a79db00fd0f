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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The notices in the jar, against what the jar carries.
class ThirdPartyIT {
    private static final Pattern IN_REPOSITORY = Pattern.compile(".*/([^/]+)/([^/]+)/\\1-\\2[^/]*\\.jar");

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

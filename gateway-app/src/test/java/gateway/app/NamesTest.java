package gateway.app;

import static java.util.regex.Pattern.MULTILINE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// One name for one thing, and each concept in the glossary. Seen are the top-level types of all Java files under the
/// project's root: main and test code of every module, `perf/jmh`, and the programs beside it that Maven does not
/// build.
final class NamesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TYPE = Pattern.compile(
            "^(public )?(?:(?:abstract|final|sealed|non-sealed|strictfp) )*"
                    + "(?:class|interface|enum|record|@interface) (\\w+)",
            MULTILINE);
    private static final Pattern WORD = Pattern.compile("[A-Z][a-z0-9]*");
    private static final Pattern TERM = Pattern.compile("^\\| ([^|]+) \\| ", MULTILINE);
    private static final Pattern CODE = Pattern.compile("`([A-Z][A-Za-z0-9]*)`");

    private static final Path ENGINE = Path.of("gateway-core", "engine", "src", "main", "java", "gateway");
    private static final Set<String> CONCEPTS = Set.of("key", "policy", "pipeline", "route", "service", "snapshot");

    /// Of each place that the test has to see.
    private static final List<String> SEEN = List.of(
            "Verdict", "FakeServices", "Turns", "Quota", "Gateway", "NamesTest", "PipelineBenchmark", "EchoSockets");

    /// @param file below the root
    private record Type(String name, boolean isPublic, Path file) {}

    @Test
    void no_two_types_have_one_name() throws IOException {
        Map<String, List<Path>> files = types().stream()
                .collect(Collectors.groupingBy(
                        Type::name, TreeMap::new, Collectors.mapping(Type::file, Collectors.toList())));

        assertThat(files).containsKeys(SEEN.toArray(String[]::new));
        files.values().removeIf(each -> each.size() == 1);
        assertThat(files).isEmpty();
    }

    @Test
    void each_public_type_of_the_engines_concepts_stands_in_the_glossary() throws IOException {
        String glossary = glossary();
        Set<String> terms = found(TERM, glossary);
        Set<String> codes = found(CODE, glossary);

        List<Type> concepts = types().stream().filter(NamesTest::is_concept).toList();

        assertThat(concepts.stream().map(NamesTest::folder)).containsAll(CONCEPTS);
        assertThat(concepts.stream()
                        .map(Type::name)
                        .filter(name -> !codes.contains(name) && !terms.contains(inWords(name))))
                .isEmpty();
    }

    @Test
    void each_type_that_the_glossary_names_exists() throws IOException {
        Set<String> codes = found(CODE, glossary());
        Set<String> names = types().stream().map(Type::name).collect(Collectors.toSet());

        assertThat(codes).isNotEmpty().isSubsetOf(names);
    }

    @Test
    void each_term_stands_in_the_glossary_once_and_in_its_place() throws IOException {
        List<String> terms = TERM.matcher(glossary())
                .results()
                .map(row -> row.group(1).toLowerCase(Locale.ROOT))
                .filter(term -> !term.equals("term"))
                .toList();

        assertThat(terms).isNotEmpty().containsExactlyElementsOf(new TreeSet<>(terms));
    }

    private static boolean is_concept(Type type) {
        return type.isPublic() && type.file().startsWith(ENGINE) && CONCEPTS.contains(folder(type));
    }

    private static String folder(Type type) {
        return type.file().getName(type.file().getNameCount() - 2).toString();
    }

    /// `RateLimit` as the glossary writes it.
    private static String inWords(String name) {
        return WORD.matcher(name)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.joining(" "))
                .toLowerCase(Locale.ROOT);
    }

    private static String glossary() throws IOException {
        return Files.readString(ROOT.resolve("GLOSSARY.md"));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(each -> pattern.equals(TERM) ? each.group(1).toLowerCase(Locale.ROOT) : each.group(1))
                .collect(Collectors.toSet());
    }

    private static List<Type> types() throws IOException {
        var types = new ArrayList<Type>();
        try (Stream<Path> files = Files.find(ROOT, Integer.MAX_VALUE, (file, _) -> is_source(file))) {
            for (Path file : files.toList()) {
                TYPE.matcher(Files.readString(file))
                        .results()
                        .map(type -> new Type(type.group(2), type.group(1) != null, ROOT.relativize(file)))
                        .forEach(types::add);
            }
        }
        return types;
    }

    private static boolean is_source(Path file) {
        return file.toString().endsWith(".java")
                && Stream.iterate(file, path -> path != null, Path::getParent)
                        .noneMatch(path -> path.endsWith("target"));
    }
}

package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.policy.PolicyType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The page of a policy in a folder of pages: what users read first has to hold.
public record PolicyPage(String name, String text) {
    private static final Pattern EXAMPLE = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);
    private static final Pattern RESOURCE = Pattern.compile("`([\\w.-]+)`:\n\n```\\w+\n(.*?)```", Pattern.DOTALL);

    public static PolicyPage of(Path folder, PolicyType type) {
        try {
            return new PolicyPage(type.name(), Files.readString(folder.resolve(type.name() + ".md")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The first JSON on it.
    public String example() {
        Matcher match = EXAMPLE.matcher(text);
        assertThat(match.find()).as("an example in " + name + ".md").isTrue();
        return match.group(1);
    }

    /// What the example names by `{"resource": …}`: the page shows each below its id.
    public Map<String, String> resources() {
        return RESOURCE.matcher(text)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    }

    /// The title, and sections of these names.
    void requireSections(List<String> sections) {
        assertThat(text).startsWith("# " + name + "\n").contains(sections);
    }
}

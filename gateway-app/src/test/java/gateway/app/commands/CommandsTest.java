package gateway.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.app.Settings;
import gateway.app.settings.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandsTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @Test
    void settings_prints_every_key_with_value_default_and_origin_but_no_secret() throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), "ioThreads: 7\n");

        int exit = run(Map.of("GATEWAY_ADMIN_TOKEN", TOKEN), "settings", "--config", file.toString());

        assertThat(exit).isZero();
        for (Setting<?> setting : Settings.ALL) assertThat(out.toString()).contains(setting.name());
        assertThat(out.toString())
                .containsPattern("ioThreads +7 +\\d+ +" + file)
                .containsPattern("adminToken +\\*\\*\\* +GATEWAY_ADMIN_TOKEN")
                .containsPattern("listen +0.0.0.0:8080 +0.0.0.0:8080 +default")
                .doesNotContain(TOKEN);
    }

    @Test
    void wrong_settings_are_all_named_and_end_with_1() {
        int exit = run(Map.of("GATEWAY_LISTEN", "nowhere", "GATEWAY_STROE", "memory"), "run");

        assertThat(exit).isEqualTo(1);
        assertThat(errors.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("gateway: GATEWAY_"));
    }

    @Test
    void wrong_usage_ends_with_2_and_help_with_0() {
        assertThat(run(Map.of(), "surprise")).isEqualTo(2);
        assertThat(run(Map.of(), "validate")).isEqualTo(2);
        assertThat(run(Map.of(), "--help")).isZero();
        assertThat(run(Map.of(), "--version")).isZero();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void each_command_tells_how_it_is_called(String command) {
        assertThat(run(Map.of(), (command + " --help").split(" ", -1))).isZero();
        assertThat(out.toString()).contains("Usage: gateway " + command);
        assertThat(errors.toString()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void help_tells_the_same_of_each_command(String command) {
        assertThat(run(Map.of(), ("help " + command).split(" ", -1))).isZero();
        assertThat(out.toString()).contains("Usage: gateway " + command);
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void help_names_the_commands() {
        assertThat(topCommands()).contains("run", "demo", "validate", "settings", "bench", "load", "cache", "help");

        assertThat(run(Map.of(), "help")).isZero();
        assertThat(out.toString()).contains(topCommands());
    }

    private static Set<String> topCommands() {
        return Main.commandLine(Map.of()).getSubcommands().keySet();
    }

    /// Those of the program, and those of each with its name before them.
    private static Stream<String> commands() {
        return below("", Main.commandLine(Map.of()));
    }

    private static Stream<String> below(String before, CommandLine line) {
        return line.getSubcommands().entrySet().stream()
                .flatMap(each -> Stream.concat(
                        Stream.of(before + each.getKey()), below(before + each.getKey() + " ", each.getValue())));
    }

    @Test
    void a_settings_file_that_is_not_there_is_told_in_words() {
        assertThat(run(Map.of(), "settings", "--config", "/nowhere.yaml")).isEqualTo(1);
        assertThat(errors.toString()).isEqualToIgnoringNewLines("gateway: /nowhere.yaml: there is no such file");
    }

    @Test
    void a_settings_file_without_a_name_and_a_folder_are_told_in_words() {
        assertThat(run(Map.of(), "settings", "--config", "")).isEqualTo(1);
        assertThat(run(Map.of(), "settings", "--config", folder.toString())).isEqualTo(1);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "gateway: --config: expected a file, got \"\"",
                        "gateway: " + folder + ": expected a file, got a folder");
    }

    @ParameterizedTest
    @CsvSource({
        "nope, there is no command gateway nope, gateway",
        "validat x, there is no command gateway validat; did you mean validate?, gateway",
        "secrets nope, there is no command gateway secrets nope, gateway secrets",
        "demo --onec, there is no option --onec; did you mean --once?, gateway demo",
        "run nope, gateway run has no use for nope, gateway run",
        "validate, missing required parameter: 'FILE', gateway validate"
    })
    void wrong_usage_is_told_as_all_else_that_is_wrong(String arguments, String told, String command) {
        assertThat(run(Map.of(), arguments.split(" ", -1))).isEqualTo(2);
        assertThat(errors.toString().lines())
                .containsExactly("gateway: " + told, "gateway: " + command + " --help tells how it is called");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run",
                "demo --once",
                "bench",
                "load http://127.0.0.1:9/",
                "settings",
                "validate x",
                "import openapi x",
                "plot",
                "cache",
                "secrets rekey",
                "cache-entries list",
                ""
            })
    void every_command_refuses_a_settings_file_that_is_not_there(String command) {
        var arguments = new ArrayList<>(List.of("--config", "/nowhere.yaml"));
        if (!command.isEmpty()) arguments.addAll(List.of(command.split(" ", -1)));

        assertThat(run(Map.of(), arguments.toArray(String[]::new))).isEqualTo(1);
        assertThat(errors.toString()).isEqualToIgnoringNewLines("gateway: /nowhere.yaml: there is no such file");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --once", "bench", "load http://127.0.0.1:9/", "plot"})
    void commands_that_heed_no_settings_file_refuse_one(String command) throws IOException {
        Path file = Files.writeString(folder.resolve("gateway.yaml"), "ioThreads: 7\n");
        var arguments = new ArrayList<>(List.of(command.split(" ", -1)));
        arguments.addAll(List.of("--config", file.toString()));

        assertThat(run(Map.of(), arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(errors.toString())
                .startsWith("gateway: --config: " + arguments.getFirst() + " takes no settings file: ");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nosuch --help", "--help nosuch", "demo nosuch --help", "demo --nosuch --help", "help nosuch"})
    void help_for_what_is_not_there_is_wrong_usage(String arguments) {
        assertThat(run(Map.of(), arguments.split(" ", -1))).isEqualTo(2);
        assertThat(errors.toString()).contains("nosuch");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nosuch", "secrets nosuch", "demo nosuch", "secrets rekey nosuch"})
    void help_names_the_command_that_is_not_there(String command) {
        assertThat(run(Map.of(), ("help " + command).split(" ", -1))).isEqualTo(2);
        assertThat(errors.toString())
                .startsWith("gateway: there is no command gateway " + command + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void help_needs_no_settings_file() {
        assertThat(run(Map.of(), "--config", "/nowhere.yaml", "demo", "--help")).isZero();
    }

    @Test
    void validate_judges_addresses_as_the_gateway_would() throws IOException {
        Path file = Files.writeString(folder.resolve("api.json"), """
            {"id": "a", "match": {"path": "/a"}, "upstream": {"targets": [{"url": "http://127.0.0.1"}]}}""");

        assertThat(run(Map.of(), "validate", file.toString())).isZero();
        assertThat(run(Map.of("GATEWAY_ALLOWED_NETWORKS", "10.0.0.0/8"), "validate", file.toString()))
                .isEqualTo(1);
        assertThat(errors.toString())
                .contains("/upstream/targets/0/url: expected an address that the gateway may call, got 127.0.0.1");
    }

    @Test
    void validate_names_every_problem_of_every_file() throws IOException {
        Path good = Files.writeString(folder.resolve("good.json"), """
            {"id": "a", "match": {"path": "/a"}, "upstream": {"targets": [{"url": "http://h"}]},
             "policies": [{"type": "rate-limit", "requests": 5, "per": "1s"}]}""");
        Path bad = Files.writeString(folder.resolve("bad.json"), """
            {"id": "a", "match": {"path": "/a"}, "upstream": {"targets": [{"url": "http://h"}]},
             "polcies": [], "policies": [{"type": "rate-limt", "requests": 5}]}""");
        Path missing = folder.resolve("missing.json");

        int exit = run(Map.of(), "validate", good.toString(), bad.toString(), missing.toString());

        assertThat(exit).isEqualTo(1);
        assertThat(out.toString().lines()).containsExactly(good + ": valid (a)");
        assertThat(errors.toString())
                .contains(bad + ": /polcies: unknown field; did you mean \"policies\"?")
                .contains(bad + ": /policies/0/type: unknown policy type \"rate-limt\"; did you mean \"rate-limit\"?")
                .contains(missing + ": there is no such file");
        assertThat(run(Map.of(), "validate", good.toString())).isZero();
    }

    @Test
    void validate_reads_a_file_as_what_its_folder_or_name_says() throws IOException {
        Path set = put("policy-sets/gold.json", "{\"policies\": [{\"type\": \"cors\", \"allowedOrigins\": [\"*\"]}]}");
        Path plan = put("plans/gold.json", "{\"quota\": {\"requests\": 5, \"per\": \"1d\"}}");
        Path global = put("global.json", "{\"before\": [{\"use\": \"house-rules\"}]}");
        Path secret = put("secrets/token.json", "{\"value\": \"s3cret\"}");
        Path page = put("resources/page.html", "<p>");

        int exit = run(Map.of(), "validate", "" + set, "" + plan, "" + global, "" + secret, "" + page);

        assertThat(errors.toString()).isEmpty();
        assertThat(exit).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        set + ": valid (gold)",
                        plan + ": valid (gold)",
                        global + ": valid (global)",
                        secret + ": valid (token)",
                        page + ": valid (page.html)");
    }

    @Test
    void validate_names_what_is_wrong_with_documents_of_every_kind() throws IOException {
        Path set = put("policy-sets/gold.json", "{\"policies\": [{\"type\": \"corse\"}]}");
        Path plan = put("plans/gold.json", "{\"quota\": {\"requests\": 0, \"per\": \"1d\"}}");
        Path global = put("global.json", "{\"befor\": []}");
        Path secret = put("secrets/token.json", "{\"value\": {\"masked\": \"12345678\"}}");

        assertThat(run(Map.of(), "validate", "" + set, "" + plan, "" + global, "" + secret))
                .isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(errors.toString())
                .contains(set + ": /policies/0/type: unknown policy type \"corse\"; did you mean \"cors\"?")
                .contains(plan + ": /quota/requests: expected")
                .contains(global + ": /befor: unknown field; did you mean \"before\"?")
                .contains(secret + ": /value: expected the secret, not its mask");
    }

    @Test
    void validate_looks_at_all_documents_of_a_folder_together_and_changes_nothing() throws IOException {
        Path orders = put("apis/orders.json", api("/orders", "{\"use\": \"gold\"}"));
        Path again = put("apis/second.json", api("/orders", ""));
        Path lost = put("apis/lost.json", api("/lost", "{\"use\": \"gone\"}, {\"type\": \"xslt\"}"));
        Path broken = put("apis/broken.json", "{");
        Path circle = put("policy-sets/a.json", "{\"policies\": [{\"use\": \"b\"}]}");
        put("policy-sets/b.json", "{\"policies\": [{\"use\": \"a\"}]}");
        Path gold = put("policy-sets/gold.json", "{\"policies\": [%s]}".formatted(mocked("page.html")));
        Path global = put("global.json", "{\"after\": [%s]}".formatted(mocked("pag.html")));
        Path page = put("resources/page.html", "<p>");

        assertThat(run(Map.of(), "validate", folder.toString())).isEqualTo(1);
        assertThat(errors.toString())
                .contains(again + ": /match: same match as API \"orders\"")
                .contains(lost + ": /policies/0/use: unknown policy set \"gone\"")
                .contains(lost + ": /policies/1/stylesheet: ")
                .contains(broken + ": ")
                .contains(circle + ": /policies/0/use: ")
                .contains(global + ": /after/0/body: unknown resource \"pag.html\"; did you mean \"page.html\"?");
        assertThat(out.toString().lines())
                .containsExactly(orders + ": valid (orders)", gold + ": valid (gold)", page + ": valid (page.html)");
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all.map(each -> each.getFileName().toString()))
                    .containsExactlyInAnyOrder("apis", "policy-sets", "resources", "global.json");
        }
    }

    @Test
    void validate_finds_no_fault_with_a_sound_folder_and_refuses_one_without_documents() throws IOException {
        put("data/apis/orders.json", api("/orders", "{\"use\": \"gold\"}"));
        put("data/policy-sets/gold.json", "{\"policies\": [{\"type\": \"key-auth\"}]}");

        assertThat(run(Map.of(), "validate", folder.resolve("data").toString())).isZero();
        assertThat(run(Map.of(), "validate", folder.toString())).isEqualTo(1);
        assertThat(errors.toString()).contains("expected a folder with apis, policy-sets, plans");
    }

    private Path put(String place, String text) throws IOException {
        Path file = folder.resolve(place);
        Files.createDirectories(file.resolveSibling("."));
        return Files.writeString(file, text);
    }

    private static String api(String path, String policies) {
        return """
            {"match": {"path": "%s"}, "upstream": {"targets": [{"url": "http://h"}]}, "policies": [%s]}""".formatted(path, policies);
    }

    private static String mocked(String resource) {
        return "{\"type\": \"mock-response\", \"body\": {\"resource\": \"%s\"}}".formatted(resource);
    }

    @Test
    void the_demonstration_gets_the_answers_it_expects() {
        int exit = run(Map.of(), "demo", "--once");

        assertThat(exit).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains("$ curl -i http://127.0.0.1:")
                .contains("urn:gateway:problem:rate-limited")
                .contains("urn:gateway:problem:quota-exceeded")
                .doesNotContain("\u001b[");
    }

    private int run(Map<String, String> environment, String... arguments) {
        return Main.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(errors, true))
                .execute(arguments);
    }
}

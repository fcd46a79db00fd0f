package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.ErrorForm;
import gateway.policy.ErrorForms;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ErrorsReaderTest {
    private final DefinitionReader reader = new DefinitionReader(TestPolicies.registry());

    @Test
    void an_api_tells_problems_unless_it_says_otherwise() {
        assertThat(reader.read(api("'enabled': true")).errors()).isEqualTo(ErrorForms.NONE);
    }

    @Test
    void forms_keep_their_order_and_have_their_media_types() {
        List<ErrorForm> forms = errors("{'form': 'problem'}, {'form': 'json', 'body': {'code': '{error.type}'}},"
                        + " {'form': 'html'}, {'form': 'soap'}")
                .forms();

        assertThat(forms)
                .extracting(ErrorForm::mediaTypes)
                .containsExactly(
                        List.of("application/problem+json"),
                        List.of("application/json"),
                        List.of("text/html"),
                        List.of("text/xml", "application/soap+xml", "application/xml"));
    }

    @Test
    void versions_and_operations_tell_errors_as_their_api_does() {
        ApiDefinition api = reader.read(api("'errors': [{'form': 'soap'}],"
                + " 'versions': {'in': 'header', 'name': 'V', 'list': [{'name': 'v1'}]},"
                + " 'operations': [{'id': 'item', 'match': {'path': '/items'}}]"));

        assertThat(api.errors().isEmpty()).isFalse();
        assertThat(api.in(api.versions().orElseThrow().list().getFirst()).errors())
                .isEqualTo(api.errors());
        assertThat(api.in(api.operations().getFirst()).errors()).isEqualTo(api.errors());
    }

    @Test
    void what_is_wrong_stands_under_its_pointer() {
        assertThat(problems("{'form': 'yaml'}"))
                .containsExactly(
                        "/errors/0/form: expected one of \"problem\", \"json\", \"html\", \"soap\", got \"yaml\"");
        assertThat(problems("{}"))
                .containsExactly(
                        "/errors/0/form: expected one of \"problem\", \"json\", \"html\", \"soap\", got nothing");
        assertThat(problems("{'form': 'json'}")).containsExactly("/errors/0/body: expected an object, got nothing");
        assertThat(problems("{'form': 'json', 'body': 'x'}"))
                .containsExactly("/errors/0/body: expected an object, got \"x\"");
        assertThat(problems("{'form': 'soap', 'body': {}, 'page': 'x', 'colour': 1}"))
                .containsExactlyInAnyOrder(
                        "/errors/0/body: expected nothing: it is for the form \"json\"",
                        "/errors/0/page: expected nothing: it is for the form \"html\"",
                        "/errors/0/colour: unknown field");
        assertThat(problems("{'form': 'json', 'body': {}, 'contentType': 'text/html'}"))
                .singleElement()
                .asString()
                .startsWith("/errors/0/contentType: expected a media type such as application/json");
        assertThat(problems("{'form': 'json', 'body': {}}, {'form': 'json', 'body': {}}"))
                .containsExactly("/errors/1: a form before it has its media type");
        assertThat(problems("{'form': 'html', 'status': 'binding'}"))
                .containsExactly("/errors/0/status: expected nothing: it is for the form \"soap\"");
        assertThat(problems("{'form': 'soap', 'status': 500}")).hasSize(1);
        assertThat(problems("{'form': 'soap', 'status': 'binding'}")).isEmpty();
        assertThat(problems("")).containsExactly("/errors: expected 1 to 4 forms, got 0");
        assertThat(ofErrors("{'form': 'soap'}")).containsExactly("/errors: expected an array, got an object");
    }

    @Test
    void placeholders_are_checked_and_those_of_errors_stand_nowhere_else() {
        assertThat(problems("{'form': 'json', 'body': {'a': ['{error.stauts}']}}"))
                .containsExactly("/errors/0/body: unknown placeholder \"{error.stauts}\"; did you mean"
                        + " \"{error.status}\"?");
        assertThat(problems("{'form': 'html', 'page': '{error.errors}'}"))
                .singleElement()
                .asString()
                .startsWith("/errors/0/page: unknown placeholder \"{error.errors}\"");
    }

    @Test
    void values_stand_in_the_text_of_a_page_and_in_quotes_alone() {
        for (String bad : List.of(
                "<a href={error.detail}>",
                "<a title=x{error.detail}>",
                "<br {error.title}>",
                "<p onclick='{error.detail}'>",
                "<!--> <a href={error.detail}> -->",
                "<!-- a --!><a href={error.detail}>",
                "<{{!-- <a href={error.detail}> -->"))
            assertThat(problems("{'form': 'html', 'page': \"" + bad + "\"}"))
                    .as(bad)
                    .singleElement()
                    .asString()
                    .contains(" in a text or within the quotes of an attribute, got it ");
        for (String bad : List.of("<script>{error.detail}</script>", "<STYLE>a{{}</STYLE>"))
            assertThat(problems("{'form': 'html', 'page': \"" + bad + "\"}"))
                    .as(bad)
                    .containsExactly(
                            "/errors/0/page: expected no script and no style: values are not escaped for them");
        for (String good : List.of(
                "<a title=>b>{error.detail}</a>",
                "<a title='{error.detail}'>",
                "<!-- don't {error.type} --><p>{error.title}"))
            assertThat(problems("{'form': 'html', 'page': \"" + good + "\"}"))
                    .as(good)
                    .isEmpty();
    }

    @Test
    void templates_have_bounds() {
        assertThat(problems("{'form': 'html', 'page': '" + "x".repeat(16 * 1024 + 1) + "'}"))
                .containsExactly("/errors/0/page: expected at most 16384 characters, got 16385");
        assertThat(problems("{'form': 'html', 'page': '" + "{error.type}".repeat(33) + "'}"))
                .containsExactly("/errors/0/page: expected at most 32 placeholders, got 33");
        assertThat(problems("{'form': 'json', 'body': {'a': '" + "x".repeat(16 * 1024) + "'}}"))
                .containsExactly("/errors/0/body: expected at most 16384 characters, got 16392");
        assertThat(problems("{'form': 'json', 'body': {'a': '" + "{error.type}".repeat(32) + "',"
                        + " 'b': '{error.status}'}}"))
                .containsExactly("/errors/0/body: expected at most 32 placeholders, got 33");
    }

    private ErrorForms errors(String forms) {
        return reader.read(api("'errors': [" + forms + "]")).errors();
    }

    private List<String> problems(String forms) {
        return ofErrors("[" + forms + "]");
    }

    private List<String> ofErrors(String json) {
        var node = ConfigNode.parse(api("'errors': " + json));
        reader.read(node);
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    /// Apostrophes within quotes stay.
    private static String api(String more) {
        var json = new StringBuilder();
        boolean quoted = false;
        String text = "{'id': 'orders', 'match': {'path': '/orders'},"
                + " 'upstream': {'targets': [{'url': 'http://10.0.0.1'}]}, " + more + "}";
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') quoted = !quoted;
            json.append(c == '\'' && !quoted ? '"' : c);
        }
        return json.toString();
    }
}

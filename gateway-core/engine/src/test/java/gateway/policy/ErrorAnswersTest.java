package gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.http.Body;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.HeldBody;
import gateway.http.Problem;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

final class ErrorAnswersTest {
    private static final Problem LIMITED = Problem.of("rate-limited", 429, "Too many requests", "Wait for 3 s");
    private static final ErrorForm STANDARD = new ErrorForm.Standard();
    private static final ErrorForm SOAP = new ErrorForm.Fault(ErrorForm.Fault.Status.PROBLEM);
    private static final ErrorForm OWN = json("{\"code\": \"{error.type}\", \"status\": \"{error.status}\"}");
    private static final ErrorForm PAGE = page("<h1>{error.title}</h1>{error.detail} ({request.id})");

    @Test
    void an_own_body_has_numbers_and_lists_where_a_placeholder_stands_alone() {
        var problem = new Problem(
                "invalid-content", 422, "Invalid", "At \"a\"", List.of(new ConfigProblem("/a", "expected text")));
        ErrorForm form = json("{\"error\": {\"code\": \"{error.type}\", \"http\": \"{error.status}\","
                + " \"text\": \"{error.title}: {error.detail}\", \"at\": \"{error.errors}\", \"id\": \"{request.id}\","
                + " \"of\": 7}}");

        Response told = told(Exchanges.get("/").make(), problem, form);

        assertThat(told.status()).isEqualTo(422);
        assertThat(told.reason()).isEqualTo("invalid-content");
        assertThat(told.headers().all("Content-Type")).containsExactly("application/json");
        assertThat(Json.parse(text(told)))
                .isEqualTo(Json.parse("{\"error\": {\"code\": \"invalid-content\", \"http\": 422,"
                        + " \"text\": \"Invalid: At \\\"a\\\"\", \"id\": \"request-1\", \"of\": 7,"
                        + " \"at\": [{\"pointer\": \"/a\", \"message\": \"expected text\"}]}}"));
    }

    @Property
    void no_value_leaves_its_place(@ForAll String value) throws Exception {
        var exchange = Exchanges.get("/").with("X-A", "b").make();
        var problem = Problem.of("a", 400, "b", value);

        String own = text(told(exchange, problem, json("{\"text\": \"<{error.detail}>\", \"admin\": false}")));
        String page = text(told(exchange, problem, page("<p>{error.detail}</p>")));
        Document fault = xml(told(exchange, problem, SOAP));

        assertThat(Json.parse(own).propertyNames()).containsExactly("text", "admin");
        assertThat(page.chars().filter(c -> c == '<' || c == '>').count()).isEqualTo(4);
        assertThat(fault.getElementsByTagName("*").getLength()).isEqualTo(11);
    }

    @Test
    void fields_of_the_answer_stay_but_those_of_its_old_content() {
        Response limited =
                LIMITED.toResponse("request-1").with("Retry-After", "3").with("WWW-Authenticate", "Bearer");

        Response told =
                new ErrorForms(List.of(PAGE)).of(Exchanges.get("/").make()).told(limited);

        assertThat(told.headers().first("Retry-After")).contains("3");
        assertThat(told.headers().first("WWW-Authenticate")).contains("Bearer");
        assertThat(told.headers().all("Content-Type")).containsExactly("text/html; charset=utf-8");
        assertThat(text(told)).isEqualTo("<h1>Too many requests</h1>Wait for 3 s (request-1)");
    }

    @Test
    void a_status_that_a_policy_has_changed_is_the_one_that_is_told() {
        Response told = new ErrorForms(List.of(OWN))
                .of(Exchanges.get("/").make())
                .told(LIMITED.toResponse("request-1").withStatus(503));

        assertThat(text(told)).isEqualTo("{\"code\":\"rate-limited\",\"status\":503}");
    }

    @Test
    void a_fault_is_of_the_version_of_soap_that_the_request_speaks() throws Exception {
        assertThat(version("Content-Type", "text/xml; charset=utf-8")).isEqualTo("text/xml; charset=utf-8");
        assertThat(version("Content-Type", "Application/SOAP+XML; action=\"a\""))
                .isEqualTo("application/soap+xml; charset=utf-8");
        assertThat(version("Content-Type", "multipart/related; type=\"application/soap+xml\""))
                .isEqualTo("application/soap+xml; charset=utf-8");
        assertThat(version("Accept", "application/soap+xml, text/xml;q=0.5"))
                .isEqualTo("application/soap+xml; charset=utf-8");
        assertThat(version("X-None", "")).isEqualTo("text/xml; charset=utf-8");
    }

    @Test
    void of_a_request_whose_content_is_no_soap_it_is_as_the_client_takes_it() throws Exception {
        var form = Exchanges.of("POST", "/")
                .with("Content-Type", "application/x-www-form-urlencoded")
                .with("Accept", "application/soap+xml")
                .make();
        var old = Exchanges.of("POST", "/")
                .with("Content-Type", "text/xml")
                .with("Accept", "application/soap+xml")
                .make();

        assertThat(told(form, LIMITED, SOAP).headers().all("Content-Type"))
                .containsExactly("application/soap+xml; charset=utf-8");
        assertThat(told(old, LIMITED, SOAP).headers().all("Content-Type")).containsExactly("text/xml; charset=utf-8");
    }

    @Test
    void whose_fault_it_is_the_status_tells() throws Exception {
        var old = Exchanges.of("POST", "/").with("Content-Type", "text/xml").make();
        var newer = Exchanges.of("POST", "/")
                .with("Content-Type", "application/soap+xml")
                .make();
        var away = Problem.of("upstream-timeout", 504, "Gateway timeout", "The upstream did not answer in time");

        Document ofClient = xml(told(old, LIMITED, SOAP));
        assertThat(ofClient.getElementsByTagName("faultcode").item(0).getTextContent())
                .isEqualTo("soap:Client");
        assertThat(ofClient.getElementsByTagName("faultstring").item(0).getTextContent())
                .isEqualTo("Wait for 3 s");
        assertThat(ofClient.getElementsByTagName("requestId").item(0).getTextContent())
                .isEqualTo("request-1");
        assertThat(xml(told(old, away, SOAP))
                        .getElementsByTagName("faultcode")
                        .item(0)
                        .getTextContent())
                .isEqualTo("soap:Server");
        assertThat(xml(told(newer, LIMITED, SOAP))
                        .getElementsByTagName("soap:Value")
                        .item(0)
                        .getTextContent())
                .isEqualTo("soap:Sender");
        assertThat(xml(told(newer, away, SOAP))
                        .getElementsByTagName("soap:Value")
                        .item(0)
                        .getTextContent())
                .isEqualTo("soap:Receiver");
    }

    @ParameterizedTest
    @CsvSource({
        "text/xml, 401, 500", "text/xml, 429, 500", "text/xml, 504, 500",
        "application/soap+xml, 401, 400", "application/soap+xml, 429, 400", "application/soap+xml, 504, 500"
    })
    void a_fault_may_have_the_status_of_the_binding_of_soap(String type, int problem, int status) throws Exception {
        var bound = new ErrorForm.Fault(ErrorForm.Fault.Status.BINDING);

        Response told = new ErrorForms(List.of(bound))
                .of(posted(type))
                .told(Problem.of("refused", problem, "Refused", "No")
                        .toResponse("request-1")
                        .with("Retry-After", "3"));

        assertThat(told.status()).isEqualTo(problem);
        assertThat(told.sentStatus()).isEqualTo(status);
        assertThat(told.withStatus(403).sentStatus()).isEqualTo(403);
        assertThat(told.reason()).isEqualTo("refused");
        assertThat(told.headers().first("Retry-After")).contains("3");
        assertThat(xml(told).getElementsByTagName("status").item(0).getTextContent())
                .isEqualTo(Integer.toString(problem));
    }

    @Test
    void a_fault_tells_each_error_below_its_detail() throws Exception {
        var problem = new Problem(
                "invalid-content",
                422,
                "Invalid content",
                "The XML is not as the schema says",
                List.of(new ConfigProblem("/a", "expected <b> & c"), new ConfigProblem("/d", "missing", "query")));
        var exchange =
                Exchanges.of("POST", "/").with("Content-Type", "text/xml").make();

        var errors = xml(told(exchange, problem, SOAP)).getElementsByTagName("error");

        assertThat(errors.getLength()).isEqualTo(2);
        assertThat(errors.item(0).getTextContent()).isEqualTo("/aexpected <b> & c");
        assertThat(errors.item(0).getFirstChild().getNodeName()).isEqualTo("pointer");
        assertThat(errors.item(0).getNamespaceURI()).isEqualTo("urn:gateway:problem");
        assertThat(errors.item(1).getFirstChild().getNodeName()).isEqualTo("in");
        assertThat(errors.item(1).getTextContent()).isEqualTo("query/dmissing");
    }

    @Test
    void of_several_forms_the_client_chooses() {
        assertThat(chosen("text/html,application/xhtml+xml,*/*;q=0.8")).isEqualTo("text/html; charset=utf-8");
        assertThat(chosen("application/json")).isEqualTo("application/json");
        assertThat(chosen("text/xml")).isEqualTo("text/xml; charset=utf-8");
        assertThat(chosen("*/*")).isEqualTo("application/problem+json");
        assertThat(chosen("image/png")).isEqualTo("application/problem+json");
    }

    @Test
    void what_the_client_accepts_is_its_own_word() {
        var exchange = Exchanges.get("/").with("Accept", "application/json").make();
        ErrorAnswers answers = new ErrorForms(List.of(PAGE, OWN)).of(exchange);
        exchange.headers().set("Accept", "text/html"); // for the upstream

        Response told = answers.told(LIMITED.toResponse("request-1"));

        assertThat(told.headers().first("Content-Type")).contains("application/json");
    }

    @Test
    void answers_that_differ_by_accept_tell_caches_so_once() {
        ErrorAnswers answers =
                new ErrorForms(List.of(STANDARD, OWN)).of(Exchanges.get("/").make());
        Response told = answers.told(answers.told(LIMITED.toResponse("a").with("Vary", "Origin")));

        assertThat(told.headers().all("Vary")).containsExactly("Origin", "Accept");
        assertThat(told(Exchanges.get("/").make(), LIMITED, OWN).headers().contains("Vary"))
                .isFalse();
    }

    @Test
    void a_fault_differs_by_accept_and_no_own_form_is_kept_by_caches() {
        Response fault = told(Exchanges.get("/").make(), LIMITED, SOAP);
        Response page = new ErrorForms(List.of(PAGE))
                .of(Exchanges.get("/").make())
                .told(LIMITED.toResponse("a").with("Cache-Control", "max-age=5"));

        assertThat(fault.headers().all("Vary")).containsExactly("Accept");
        assertThat(fault.headers().all("Cache-Control")).containsExactly("no-store");
        assertThat(page.headers().all("Cache-Control")).containsExactly("max-age=5");
        assertThat(told(Exchanges.get("/").make(), LIMITED, STANDARD).headers().contains("Cache-Control"))
                .isFalse();
    }

    @Test
    void what_was_told_once_is_not_told_again() {
        var exchange = Exchanges.get("/").with("X-A", "x".repeat(40_000)).make();
        var longPage = page("{request.header.X-A}{request.header.X-A}");

        for (ErrorForm each : List.of(STANDARD, OWN, PAGE, SOAP, longPage))
            assertThat(told(exchange, LIMITED, each).problem()).isNull();
    }

    @Test
    void what_is_no_problem_of_the_gateways_stays() {
        ErrorAnswers answers =
                new ErrorForms(List.of(OWN)).of(Exchanges.get("/").make());
        Response upstreams = Response.of(500, "application/problem+json", new byte[] {'{', '}'});
        Response page = Response.of(503, "text/html", new byte[] {'x'}).because("maintenance");
        Response changed = LIMITED.toResponse("a").withBody(Body.of(new byte[] {'y'}));

        for (Response each : List.of(upstreams, page, changed))
            assertThat(answers.told(each)).isSameAs(each);
    }

    @Test
    void grpc_has_a_way_of_its_own() {
        for (String type : List.of("application/grpc", "application/grpc+proto", "application/grpc; a=b"))
            assertThat(text(told(posted(type), LIMITED, OWN))).isEqualTo(LIMITED.toJson("request-1"));
        assertThat(text(told(posted("application/grpc-web"), LIMITED, OWN))).contains("\"code\"");
    }

    @Test
    void what_gets_too_long_is_told_as_a_problem() {
        var exchange = Exchanges.get("/").with("X-A", "x".repeat(40_000)).make();

        for (ErrorForm each : List.of(
                page("{request.header.X-A}{request.header.X-A}"),
                json("{\"a\": \"{request.header.X-A}{request.header.X-A}\"}")))
            assertThat(text(told(exchange, LIMITED, each))).isEqualTo(LIMITED.toJson("request-1"));
    }

    private static Exchange posted(String type) {
        return Exchanges.of("POST", "/").with("Content-Type", type).make();
    }

    private static String version(String field, String value) throws Exception {
        Response told = told(Exchanges.of("POST", "/").with(field, value).make(), LIMITED, SOAP);
        String type = told.headers().first("Content-Type").orElseThrow();
        assertThat(xml(told).getDocumentElement().getNamespaceURI())
                .isEqualTo(
                        type.startsWith("text/xml")
                                ? "http://schemas.xmlsoap.org/soap/envelope/"
                                : "http://www.w3.org/2003/05/soap-envelope");
        return type;
    }

    private static String chosen(String accept) {
        var exchange = Exchanges.get("/").with("Accept", accept).make();
        return told(exchange, LIMITED, STANDARD, OWN, PAGE, SOAP)
                .headers()
                .first("Content-Type")
                .orElseThrow();
    }

    private static Response told(Exchange exchange, Problem problem, ErrorForm... forms) {
        return new ErrorForms(List.of(forms)).of(exchange).told(problem.toResponse(exchange.requestId()));
    }

    private static ErrorForm json(String body) {
        var node = ConfigNode.parse(body);
        var form = new ErrorForm.OwnJson("application/json", FilledJson.read(node, ErrorForm.PLACEHOLDERS));
        node.throwIfInvalid();
        return form;
    }

    private static ErrorForm page(String text) {
        var node = ConfigNode.parse("{}");
        var form = new ErrorForm.Page(Template.read(text, node, TemplatePlace.HTML, ErrorForm.PLACEHOLDERS));
        node.throwIfInvalid();
        return form;
    }

    private static String text(Response response) {
        return new String(((HeldBody) response.body()).content(), StandardCharsets.UTF_8);
    }

    private static Document xml(Response response) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(((HeldBody) response.body()).content()));
    }
}

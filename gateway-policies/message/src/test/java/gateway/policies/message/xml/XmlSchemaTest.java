package gateway.policies.message.xml;

import static gateway.http.Gzip.gzip;
import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class XmlSchemaTest {
    private static final String XS = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" ";
    private static final String ORDER = XS + """
            xmlns="urn:o" xmlns:t="urn:t" targetNamespace="urn:o" elementFormDefault="qualified">
              <xs:import namespace="urn:t" schemaLocation="../common/types.xsd"/>
              <xs:element name="order"><xs:complexType><xs:sequence>
                <xs:element name="line" type="t:Line" maxOccurs="unbounded"/>
              </xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType></xs:element>
              <xs:element name="cancel" type="xs:string"/>
            </xs:schema>""";
    private static final String TYPES = XS + """
            targetNamespace="urn:t" elementFormDefault="qualified">
              <xs:complexType name="Line"><xs:sequence>
                <xs:element name="sku"><xs:simpleType><xs:restriction base="xs:string">
                  <xs:pattern value="[A-Z]+-[0-9]+"/></xs:restriction></xs:simpleType></xs:element>
                <xs:element name="quantity" type="xs:positiveInteger"/>
              </xs:sequence></xs:complexType>
              <xs:complexType name="Any" abstract="true"/>
            </xs:schema>""";

    @SuppressWarnings("InlineFormatString") // a document, longer than its use
    private static final String RULES = """
            {"type": "xml-schema", "schemas": [{"resource": "order.xsd"}, {"resource": "types.xsd"}]%s}""";

    private static final String LINE = "<line xmlns:t='urn:t'><t:sku>AB-1</t:sku><t:quantity>2</t:quantity></line>";
    private static final String GOOD = "<order xmlns='urn:o' id='7'>" + LINE + "</order>";
    private static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String SOAP12 = "http://www.w3.org/2003/05/soap-envelope";

    @Test
    void what_holds_passes_as_it_came_and_what_does_not_is_told_with_line_and_column() {
        PolicyRun run = run("");

        assertThat(told(post(run, GOOD))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo(GOOD);
        assertThat(told(post(run, "<order xmlns='urn:o' id='x7'>\n<line/></order>")))
                .isEqualTo("422 invalid-content /order: line 1, column 30: a value that is not of its type"
                        + " (cvc-datatype-valid.1.2.1) /order/line: line 2, column 8: an element is missing,"
                        + " expected \"urn:t\":sku (cvc-complex-type.2.4.b)");
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void nothing_that_the_message_says_is_repeated() {
        PolicyRun run = run("");
        for (String wrong : new String[] {
            GOOD.replace("AB-1", "s3cret"),
            GOOD.replace("<t:quantity>2", "<t:quantity>s3cret"),
            GOOD.replace("id='7'", "id='7' s3cret='1'"),
            GOOD.replace("</order>", "<x xmlns=\"One of '{s3cret}' \"/></order>"),
            GOOD.replace("id='7'", "id='7' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='s3cret'")
        }) {
            Response answer = post(run, wrong);
            assertThat(answer.status()).as(wrong).isEqualTo(422);
            assertThat(PolicyRun.text(answer)).doesNotContain("s3cret");
        }
    }

    @Test
    void no_more_errors_are_told_than_asked_for() {
        String bad = "<order xmlns='urn:o' id='7'>" + "<line/>".repeat(50) + "</order>";

        assertThat(told(post(run(""), bad)).split("line \\d+, column", -1)).hasSize(21);
        assertThat(told(post(run(", \"errors\": 3, \"status\": 400"), bad)))
                .startsWith("400 invalid-content")
                .satisfies(
                        told -> assertThat(told.split("line \\d+, column", -1)).hasSize(4));
    }

    @Test
    void only_declared_elements_stand_at_the_top_whatever_xsi_type_says() {
        String type = " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='t:Line' xmlns:t='urn:t'";
        String root = "<anything" + type + "><t:sku>AB-1</t:sku><t:quantity>2</t:quantity></anything>";

        assertThat(told(post(run(""), root)))
                .isEqualTo(
                        "422 invalid-content /anything: line 1, column 99: an element that may not stand at the top");
        assertThat(post(run(""), "<cancel xmlns='urn:o'/>").status()).isEqualTo(200);
        PolicyRun orders = run(", \"root\": [\"o:order\"], \"namespaces\": {\"o\": \"urn:o\"}");
        assertThat(post(orders, GOOD).status()).isEqualTo(200);
        assertThat(post(orders, "<cancel xmlns='urn:o'/>").status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({SOAP11, SOAP12})
    void of_an_envelope_the_one_element_in_its_body_is_validated(String soap) {
        PolicyRun run = run(", \"part\": \"soap-body\", \"on\": \"both\"");
        String around = "<s:Envelope xmlns:s='" + soap
                + "' xmlns='urn:o'><s:Header><free/></s:Header><s:Body>%s</s:Body>%s</s:Envelope>";
        String order = "<order id='7'>" + LINE + "</order>";

        assertThat(told(post(run, around.formatted(order, "")))).isEqualTo("200");
        for (String body : new String[] {"", "<order/>", order + order, "<s:Fault/>", "text", order + "text"}) {
            assertThat(post(run, around.formatted(body, "")).status()).as(body).isEqualTo(422);
        }
        assertThat(told(post(run, around.formatted(order, "<s:Body>" + order + "</s:Body>"))))
                .contains("a second SOAP body");
        assertThat(told(post(run, GOOD))).contains("no SOAP envelope");

        run.answering(xml(around.formatted("<s:Fault/>", "")));
        assertThat(post(run, around.formatted(order, "")).status()).isEqualTo(200);
        run.answering(xml(around.formatted("<order/>", "")));
        assertThat(told(post(run, around.formatted(order, ""))))
                .startsWith("502 response-refused /Envelope/Body/order");
    }

    @Test
    void steps_lead_to_the_parts_that_are_validated_in_the_namespaces_around_them() {
        PolicyRun run = run(", \"part\": \"/batch/o:order\", \"namespaces\": {\"o\": \"urn:o\"}");
        String order = "<o:order id='7'><o:line><t:sku>AB-1</t:sku><t:quantity>%s</t:quantity></o:line></o:order>";
        String batch = "<batch xmlns:o='urn:o' xmlns:t='urn:t'>%s</batch>";

        assertThat(told(post(run, batch.formatted(order.formatted(1) + "<x/>" + order.formatted(2)))))
                .isEqualTo("200");
        assertThat(told(post(run, batch.formatted(order.formatted(1) + order.formatted(0)))))
                .contains("/batch/order/line/quantity", "too small");
        assertThat(told(post(run, batch.formatted("<x>" + order.formatted(1) + "</x>"))))
                .contains("the part that is to be there is missing");
        assertThat(told(post(run, batch.formatted(order.formatted(1).repeat(1001)))))
                .isEqualTo("400 content-too-complex");
    }

    @Test
    void a_schema_is_taken_from_the_types_of_a_service() {
        var services = new FakeServices();
        services.putResource("orders.wsdl", """
                <wsdl:definitions xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="urn:w"
                    xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:w"><wsdl:types>
                  <xs:schema targetNamespace="urn:w"><xs:import namespace="urn:v"/>
                    <xs:element name="get" type="tns:Get"/>
                    <xs:complexType name="Get"><xs:sequence xmlns:v="urn:v">
                      <xs:element ref="v:id"/></xs:sequence></xs:complexType></xs:schema>
                  <xs:schema targetNamespace="urn:v"><xs:element name="id" type="xs:int"/></xs:schema>
                </wsdl:types></wsdl:definitions>""");
        PolicyRun run = PolicyRun.of("{\"type\": \"xml-schema\", \"wsdl\": {\"resource\": \"orders.wsdl\"}}", services);

        assertThat(told(post(run, "<w:get xmlns:w='urn:w'><id xmlns='urn:v'>1</id></w:get>")))
                .isEqualTo("200");
        assertThat(post(run, "<w:get xmlns:w='urn:w'><id xmlns='urn:v'>one</id></w:get>")
                        .status())
                .isEqualTo(422);
    }

    @Test
    void a_namespace_may_be_spread_over_documents_that_include_each_other() {
        var services = new FakeServices();
        services.putResource(
                "a.xsd",
                XS + "targetNamespace='urn:o' xmlns='urn:o'><xs:include schemaLocation='b.xsd'/>"
                        + "<xs:element name='a' type='B'/></xs:schema>");
        services.putResource(
                "b.xsd",
                XS + "targetNamespace='urn:o' xmlns='urn:o'><xs:include schemaLocation='a.xsd'/>"
                        + "<xs:include schemaLocation='c.xsd'/><xs:complexType name='B'><xs:sequence>"
                        + "<xs:element ref='c' minOccurs='0'/></xs:sequence></xs:complexType></xs:schema>");
        services.putResource("c.xsd", XS + "><xs:element name='c' type='xs:int'/></xs:schema>");
        PolicyRun run = PolicyRun.of("""
                {"type": "xml-schema", "schemas": [{"resource": "a.xsd"}, {"resource": "b.xsd"}, {"resource": "c.xsd"}]}
                """, services);

        assertThat(told(post(run, "<o:a xmlns:o='urn:o'><o:c>1</o:c></o:a>"))).isEqualTo("200");
        assertThat(post(run, "<o:a xmlns:o='urn:o'><o:c>x</o:c></o:a>").status())
                .isEqualTo(422);
        assertThat(post(run, "<o:c xmlns:o='urn:o'>1</o:c>").status()).isEqualTo(200);
        assertThat(post(run, "<c>1</c>").status())
                .as("without the namespace lent to it")
                .isEqualTo(422);
    }

    @Test
    void what_is_missing_is_told_with_its_place_and_the_field_it_belongs_to() {
        assertThat(flaw("<xs:import namespace='urn:no' schemaLocation='sub/no.xsd'/>"))
                .endsWith("/policies/0/schemas/0: \"a.xsd\" imports the namespace \"urn:no\" (schemaLocation"
                        + " \"sub/no.xsd\"), which none of the named documents has: store it as a resource and name it"
                        + " in \"schemas\"");
        assertThat(flaw("<xs:import namespace='urn:no'/>")).contains("imports the namespace \"urn:no\", which none");
        assertThat(flaw("<xs:include schemaLocation='no.xsd'/>"))
                .contains("includes \"no.xsd\", which", "name it in \"schemas\"");
    }

    @Test
    void the_compiler_s_words_name_documents_as_the_definition_does() {
        assertThat(flaw("<xs:element name='a' type='x:T' xmlns:x='urn:x'/>"))
                .contains("schema document 'a.xsd'")
                .doesNotContain("gateway:/");
    }

    private static String flaw(String content) {
        var services = new FakeServices();
        services.putResource("a.xsd", XS + ">" + content + "</xs:schema>");
        return catchThrowable(() ->
                        PolicyRun.of("{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"a.xsd\"}]}", services))
                .getMessage();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<xs:import namespace='urn:no' schemaLocation='http://127.0.0.1:9/no.xsd'/>|imports the namespace",
                "<xs:include schemaLocation='file:///etc/no.xsd'/>|includes",
                "<xs:element name='a' type='Missing'/>|line 1, column",
                "<xs:element name='a'><xs:complexType><xs:sequence><xs:element name='e' maxOccurs='1000000'/>"
                        + "<xs:element name='f' maxOccurs='1000000'/></xs:sequence></xs:complexType></xs:element>|5,000",
                "<xs:complexType name='a'/>|expected a global element"
            })
    void a_schema_that_cannot_be_used_is_refused_under_its_pointer(String content, String why) {
        var services = new FakeServices();
        services.putResource("a.xsd", XS + ">" + content + "</xs:schema>");

        assertThatThrownBy(() ->
                        PolicyRun.of("{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"a.xsd\"}]}", services))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/schemas")
                .hasMessageContaining(why);
    }

    @Test
    void a_schema_with_a_doctype_or_none_at_all_is_refused() {
        for (String content : new String[] {"<!DOCTYPE x><x/>", "no xml", "<x/>"}) {
            var services = new FakeServices();
            services.putResource("a.xsd", content);
            for (String rules :
                    new String[] {"\"schemas\": [{\"resource\": \"a.xsd\"}]", "\"wsdl\": {\"resource\": \"a.xsd\"}"}) {
                assertThatThrownBy(() -> PolicyRun.of("{\"type\": \"xml-schema\", " + rules + "}", services))
                        .isInstanceOf(InvalidConfigException.class)
                        .hasMessageContaining("a.xsd");
            }
        }
    }

    /// The JDK's matcher by itself had not ended after 24 s of CPU.
    @Test
    void a_pattern_with_more_ways_than_can_be_tried_ends_soon() {
        var services = services();
        services.putResource("types.xsd", TYPES.replace("[A-Z]+-[0-9]+", "([A-Z]{1,20}-?){1,20}[0-9]"));
        PolicyRun run = PolicyRun.of(RULES.formatted(""), services);

        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            assertThat(told(post(run, GOOD.replace("AB-1", "A".repeat(400)))))
                    .contains("a value that is not of its pattern");
            assertThat(told(post(run, GOOD.replace("AB-1", "AB-C-1")))).isEqualTo("200");
        });
    }

    @Test
    void values_that_patterns_would_take_long_for_and_keys_beyond_their_bound_end_the_reading() {
        String huge = "A".repeat(200_000);
        assertThat(told(post(run(""), GOOD.replace("AB-1", huge)))).isEqualTo("400 content-too-complex");
        assertThat(told(post(run(""), GOOD.replace("id='7'", "id='" + huge + "'"))))
                .isEqualTo("400 content-too-complex");
        assertThat(told(post(run(""), "<cancel xmlns='urn:o'>" + huge + "</cancel>")))
                .as("of a type that has no pattern")
                .isEqualTo("200");

        var services = new FakeServices();
        services.putResource("keys.xsd", XS + """
                ><xs:element name="r"><xs:complexType><xs:sequence>
                  <xs:element name="e" maxOccurs="unbounded"><xs:complexType><xs:attribute name="k"/></xs:complexType>
                  </xs:element></xs:sequence></xs:complexType>
                  <xs:unique name="u"><xs:selector xpath=".//e"/><xs:field xpath="@k"/></xs:unique></xs:element>
                </xs:schema>""");
        PolicyRun keys =
                PolicyRun.of("{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"keys.xsd\"}]}", services);
        var many = new StringBuilder("<r>");
        for (int i = 0; i < 2000; i++) many.append("<e k='").append(i).append("'/>");
        assertThat(told(post(keys, many + "</r>"))).isEqualTo("200");
        assertThat(told(post(keys, many + "<e k='1'/></r>"))).isEqualTo("400 content-too-complex");
        assertThat(told(post(keys, "<r><e k='1'/><e k='1'/></r>"))).contains("a key that is missing, there twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!DOCTYPE order [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><order>&e;</order>",
                "<order xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:schemaLocation='urn:o http://127.0.0.1:9/x'/>",
                "<?xml-stylesheet href='http://127.0.0.1:9/x'?><order/>",
                "<order xml:base='http://127.0.0.1:9/'/>",
                "<order",
                "{\"a\": 1}"
            })
    void what_points_out_of_a_message_or_is_no_xml_is_refused(String body) {
        PolicyRun run = run("");

        assertThat(told(post(run, body))).isEqualTo("400 malformed-content");
        assertThat(run.arrived()).isEmpty();
    }

    @Test
    void the_encoding_is_said_once_and_is_one_that_everybody_reads_alike() {
        PolicyRun run = run("");
        String text = "<cancel xmlns='urn:o'>\u00fc</cancel>";

        assertThat(told(send(run, text.getBytes(UTF_8), "text/xml"))).isEqualTo("200");
        assertThat(told(send(run, text.getBytes(ISO_8859_1), "text/xml; charset=\"ISO-8859-1\"")))
                .isEqualTo("200");
        assertThat(told(send(run, text.getBytes(UTF_16), "text/xml; charset=utf-16")))
                .isEqualTo("200");
        assertThat(told(send(run, text.getBytes(ISO_8859_1), "text/xml"))).isEqualTo("400 malformed-content");
        String declared = "<?xml version='1.0' encoding='iso-8859-1'?>" + text;
        assertThat(told(send(run, declared.getBytes(ISO_8859_1), "text/xml"))).isEqualTo("200");
        assertThat(told(send(run, declared.getBytes(ISO_8859_1), "text/xml; charset=utf-8")))
                .isEqualTo("400 malformed-content");
        assertThat(told(send(run, text.getBytes(UTF_8), "text/xml; charset=utf-7")))
                .isEqualTo("400 malformed-content");
        assertThat(told(send(run, declared.replace("iso-8859-1", "IBM037").getBytes(UTF_8), "text/xml")))
                .isEqualTo("400 malformed-content");
    }

    @Test
    void packed_bodies_are_looked_into_and_go_on_as_they_came() {
        PolicyRun run = run("");
        byte[] packed = gzip(GOOD.replace("AB-1", "ab"));

        Response answer = run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/soap+xml")
                .with("Content-Encoding", "gzip")
                .body(packed));

        assertThat(told(answer)).startsWith("422 invalid-content /order/line/sku");
    }

    @Test
    void what_is_not_checked_is_refused_in_requests_unless_it_may_pass() {
        assertThat(told(send(run(""), GOOD.getBytes(UTF_8), "text/plain"))).isEqualTo("415 unsupported-media-type");
        assertThat(told(run("").send(Exchanges.of("POST", "/").body(GOOD)))).isEqualTo("415 unsupported-media-type");
        assertThat(told(send(run(", \"otherTypes\": \"pass\""), GOOD.getBytes(UTF_8), "text/plain")))
                .isEqualTo("200");
        assertThat(told(run("").send(Exchanges.get("/")))).isEqualTo("200");
        assertThat(told(run(", \"required\": true").send(Exchanges.get("/")))).isEqualTo("400 malformed-content");
        assertThat(told(send(run(", \"maxBody\": 1024"), (GOOD + " ".repeat(1024)).getBytes(UTF_8), "text/xml")))
                .isEqualTo("413 body-too-large");
    }

    @Test
    void one_grammar_serves_all_definitions_of_the_same_content() {
        var services = services();
        var sources = new GrammarSources(
                java.util.List.of(
                        new gateway.service.ResourceReference("order.xsd"),
                        new gateway.service.ResourceReference("types.xsd")),
                java.util.Optional.empty());

        XmlGrammar one = sources.grammar(services);

        assertThat(sources.grammar(services)).isSameAs(one);
        services.putResource("types.xsd", TYPES + " ");
        assertThat(sources.grammar(services)).isNotSameAs(one);
    }

    private static FakeServices services() {
        var services = new FakeServices();
        services.putResource("order.xsd", ORDER);
        services.putResource("types.xsd", TYPES);
        return services;
    }

    private static PolicyRun run(String rules) {
        return PolicyRun.of(RULES.formatted(rules), services());
    }

    private static Response post(PolicyRun run, String xml) {
        return send(run, xml.getBytes(UTF_8), "application/xml");
    }

    private static Response send(PolicyRun run, byte[] body, String type) {
        return run.send(Exchanges.of("POST", "/").with("Content-Type", type).body(body));
    }

    private static Response xml(String text) {
        return Response.of(200, "text/xml", text.getBytes(UTF_8));
    }
}

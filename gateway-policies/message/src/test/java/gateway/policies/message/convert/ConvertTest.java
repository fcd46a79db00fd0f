package gateway.policies.message.convert;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.http.UpstreamException;
import gateway.policies.message.PolicyRun;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConvertTest {
    private static final String TO_XML = "\"request\": \"json-to-xml\"";
    private static final String TO_JSON = "\"request\": \"xml-to-json\"";
    private static final String ORDERS =
            ", \"root\": \"order\", \"arrays\": [\"/order/line\"], \"namespaces\": {\"\": \"urn:o\"}";
    private static final String ORDER =
            "<order xmlns=\"urn:o\" id=\"7\"><line><sku>A</sku><note></note></line></order>";
    private static final String JSON = "{\"@id\":\"7\",\"line\":[{\"sku\":\"A\",\"note\":\"\"}]}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attributes-prefixed | <o id='7'>a</o> | {'o':{'@id':'7','#text':'a'}}",
                "attributes-prefixed | <o><l>1</l><m/><l>2</l></o> | {'o':{'l':['1','2'],'m':''}}",
                "attributes-prefixed | <o> <l> x </l> </o> | {'o':{'l':' x '}}",
                "attributes-prefixed | <o>a<b>c</b>d</o> | {'o':{'b':'c','#text':'ad'}}",
                "attributes-prefixed | <o><![CDATA[<&]]>&amp;<!-- no --><?no no?></o> | {'o':'<&&'}",
                "attributes-prefixed | <x:o xmlns:x='urn:x' x:y='1'><z/></x:o> |"
                        + " {'x:o':{'@x:y':'1','z':'','@xmlns:x':'urn:x'}}",
                "attributes-prefixed | <o xmlns='urn:x'><z xmlns=''/></o> |"
                        + " {'o':{'z':{'@xmlns':''},'@xmlns':'urn:x'}}",
                "attributes-prefixed | <o xml:lang='de'>a</o> | {'o':{'@xml:lang':'de','#text':'a'}}",
                "attributes-prefixed | <_x0031_st/> | {'1st':''}",
                "badgerfish | <o id='7'>a</o> | {'o':{'@id':'7','$':'a'}}",
                "badgerfish | <o><l>1</l><l>2</l></o> | {'o':{'l':[{'$':'1'},{'$':'2'}]}}",
                "badgerfish | <x:o xmlns:x='urn:x' xmlns='urn:y'><z/></x:o> |"
                        + " {'x:o':{'z':{'@xmlns':{'$':'urn:y'}},'@xmlns':{'x':'urn:x'}}}",
                "parker | <o id='7'>a</o> | 'a'",
                "parker | <o><l>1</l><l>2</l><e/></o> | {'l':['1','2'],'e':''}",
                "parker | <o>a<l>1</l></o> | {'l':'1'}"
            })
    void each_style_says_elements_in_its_way(String style, String xml, String json) {
        PolicyRun run = run(TO_JSON + ", \"style\": \"" + style + '"');

        assertThat(told(xml(run, xml))).isEqualTo("200");
        assertThat(run.arrived()).isEqualTo(json.replace('\'', '"'));
        assertThat(run.last().headers().all("Content-Type")).containsExactly("application/json");
    }

    @Test
    void what_a_definition_says_of_names_holds_both_ways() {
        PolicyRun toJson = run(TO_JSON + ORDERS);
        xml(toJson, ORDER);
        assertThat(toJson.arrived()).isEqualTo(JSON);
        xml(toJson, ORDER.replace("<", "<p:").replace("<p:/", "</p:").replace("xmlns=", "xmlns:p="));
        assertThat(toJson.arrived()).isEqualTo(JSON);

        PolicyRun toXml = run(TO_XML + ORDERS);
        assertThat(told(toXml.post(JSON))).isEqualTo("200");
        assertThat(toXml.arrived()).isEqualTo(ORDER);
        assertThat(toXml.last().headers().all("Content-Type")).containsExactly("application/xml; charset=utf-8");
    }

    @Test
    void answers_are_converted_on_their_way_back_and_asked_for() {
        PolicyRun run = run("\"response\": \"xml-to-json\"" + ORDERS);
        run.answering(Response.of(200, "text/xml", ORDER.getBytes(UTF_8)));

        Response answer = run.send(Exchanges.get("/").with("Accept", "application/json"));

        assertThat(PolicyRun.text(answer)).isEqualTo(JSON);
        assertThat(answer.headers().all("Content-Type")).containsExactly("application/json");
        assertThat(run.last().headers().all("Accept"))
                .containsExactly("application/xml, text/xml, application/soap+xml");
        run.answering(Response.of(200, "text/xml", "<order".getBytes(UTF_8)));
        assertThat(told(run.send(Exchanges.get("/")))).isEqualTo("502 response-refused");
        run.answering(Response.of(200, "text/plain", "<order".getBytes(UTF_8)));
        assertThat(PolicyRun.text(run.send(Exchanges.get("/")))).isEqualTo("<order");
    }

    @ParameterizedTest
    @CsvSource({
        "true, true",
        "1, 1",
        "-1.50, -1.50",
        "0, 0",
        "007, '007'",
        "+1, '+1'",
        "1e3, '1e3'",
        "-0, '-0'",
        "12345678901234567890123, 12345678901234567890123",
        "0.10, 0.10",
        ".5, '.5'",
        "True, 'True'",
        "NaN, 'NaN'"
    })
    void with_infer_numbers_and_booleans_of_json_are_those_and_keep_their_digits(String text, String value) {
        PolicyRun run = run(TO_JSON + ", \"types\": \"infer\"");

        xml(run, "<o>" + text + "</o>");

        String written = run.arrived().replace("{\"o\":", "").replace("}", "");
        assertThat(written.replace("\"", "")).isEqualTo(value);
        assertThat(written.startsWith("\"")).isEqualTo(!text.matches("true|1|-1.50|0|0.10|[0-9]{20,}"));
    }

    @Test
    void numbers_of_json_keep_their_digits_in_xml() {
        PolicyRun run = run(TO_XML);

        run.post(
                "{\"o\": {\"a\": 1.10, \"b\": 12345678901234567890123.4, \"c\": true, \"d\": null, \"e\": {}, \"f\": []}}");

        assertThat(run.arrived())
                .isEqualTo("<o><a>1.10</a><b>12345678901234567890123.4</b><c>true</c><d></d><e></e></o>");
    }

    @ParameterizedTest
    @CsvSource({"text, \"\"", "null, null", "object, {}"})
    void an_empty_element_is_what_the_definition_says(String form, String json) {
        PolicyRun run = run(TO_JSON + ", \"emptyAs\": \"" + form + '"');

        xml(run, "<o><e/></o>");

        assertThat(run.arrived()).isEqualTo("{\"o\":{\"e\":" + json + "}}");
    }

    @Test
    void names_and_values_become_no_markup() {
        PolicyRun run = run(TO_XML);

        run.post("{\"o\": {\"a b\": \"<x/>\", \"<x>\": \"]]>\", \"@\\\"\": \"\\\"<&\\n\", \"_x0020_\": \"\"}}");

        assertThat(run.arrived())
                .isEqualTo("<o _x0022_=\"&quot;&lt;&amp;&#10;\"><a_x0020_b>&lt;x/&gt;</a_x0020_b>"
                        + "<_x003C_x_x003E_>]]&gt;</_x003C_x_x003E_><_x005F_x0020_></_x005F_x0020_></o>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[] | ",
                "{\"a\": 1, \"b\": 2} | ",
                "7 | ",
                "{\"a\": [1, 2]} | /a",
                "{\"a\": {\"b\": [[1]]}} | /a/b",
                "{\"a\": {\"b/c\": \"\\u0001\"}} | /a/b~1c",
                "{\"a\": {\"b\": \"\\ud800\"}} | /a/b",
                "{\"a\": {\"p:b\": 1}} | /a/p:b",
                "{\"a\": {\"@b\": {}}} | /a/@b",
                "{\"a\": {\"\": 1}} | /a/",
                "{\"a\": {\"@xmlns:p\": \"\"}} | /a",
                "{\"a\": {\"@xmlns:xml\": \"urn:x\"}} | /a",
                "{\"a\": {\"@xmlns:xsi\": \"http://www.w3.org/2001/XMLSchema-instance\","
                        + " \"@xsi:schemaLocation\": \"urn:x http://10.0.0.1/\"}} | /a/@xsi:schemaLocation",
                "{\"a\": {\"@xml:base\": \"http://10.0.0.1/\"}} | /a/@xml:base",
                "{\"a\": {\"@xmlns:p\": \"urn:x\", \"@xmlns:q\": \"urn:x\", \"@p:b\": 1, \"@q:b\": 2}} | /a/@q:b"
            })
    void json_that_is_no_document_is_refused_with_its_place(String json, String pointer) {
        PolicyRun run = run(TO_XML);

        Response answer = run.post(json);

        assertThat(told(answer)).startsWith("422 invalid-content " + (pointer == null ? "" : pointer) + ": ");
        assertThat(run.arrived()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"@xmlns\": \"urn:other\"} | ",
                "{\"@xmlns\": \"\"} | ",
                "{\"o:a\": {\"@xmlns:o\": \"urn:other\"}} | /o:a",
                "{\"x:include\": {\"@xmlns:x\": \"http://www.w3.org/2001/XInclude\","
                        + " \"@href\": \"file:///etc/passwd\"}} | /x:include"
            })
    void clients_neither_give_configured_prefixes_another_meaning_nor_name_places(String json, String pointer) {
        PolicyRun run = run(TO_XML + ", \"root\": \"order\", \"namespaces\": {\"\": \"urn:o\", \"o\": \"urn:p\"}");

        assertThat(told(run.post(json))).startsWith("422 invalid-content " + (pointer == null ? "" : pointer) + ": ");
        assertThat(run.arrived()).isEmpty();
        assertThat(told(run.post("{\"@xmlns\": \"urn:o\", \"b\": {\"@xmlns:p\": \"urn:x\"}}")))
                .isEqualTo("200");
    }

    @Test
    void another_top_element_than_the_root_is_refused() {
        PolicyRun orders = run(TO_JSON + ORDERS);

        assertThat(told(xml(orders, ORDER))).isEqualTo("200");
        assertThat(told(xml(orders, "<cancel xmlns='urn:o'/>")))
                .isEqualTo("422 invalid-content : another element than is expected at the top");
        assertThat(told(xml(orders, "<order/>"))).startsWith("422 invalid-content");
        assertThat(told(xml(run(TO_JSON + ", \"root\": \"order\""), ORDER))).isEqualTo("200");
        PolicyRun parker = run(TO_JSON + ", \"style\": \"parker\"" + ORDERS);
        assertThat(told(xml(parker, ORDER))).isEqualTo("200");
        assertThat(told(xml(parker, "<cancel/>"))).startsWith("422 invalid-content");
    }

    @Test
    void answers_have_a_root_of_their_own_where_the_definition_says_one() {
        PolicyRun run = run(TO_XML + ", \"response\": \"xml-to-json\", \"responseRoot\": \"reply\"" + ORDERS);

        run.answering(Response.of(200, "text/xml", "<reply xmlns='urn:o'><n>1</n></reply>".getBytes(UTF_8)));
        assertThat(PolicyRun.text(run.post(JSON))).isEqualTo("{\"n\":\"1\"}");
        assertThat(run.arrived()).isEqualTo(ORDER);
        run.answering(Response.of(200, "text/xml", "<other xmlns='urn:o'/>".getBytes(UTF_8)));
        assertThat(told(run.post(JSON)))
                .isEqualTo("502 response-refused : another element than is expected at the top");
        run.answering(Response.of(503, "text/xml", "<other xmlns='urn:o'><n>1</n></other>".getBytes(UTF_8)));
        assertThat(PolicyRun.text(run.post(JSON))).isEqualTo("{\"n\":\"1\"}");

        PolicyRun only = run("\"response\": \"xml-to-json\"" + ORDERS);
        only.answering(Response.of(200, "text/xml", "<other xmlns='urn:o'/>".getBytes(UTF_8)));
        assertThat(told(only.send(Exchanges.get("/")))).startsWith("502 response-refused");
        PolicyRun both = run(TO_XML + ", \"response\": \"xml-to-json\"" + ORDERS);
        both.answering(Response.of(200, "text/xml", "<other xmlns='urn:o'><n>1</n></other>".getBytes(UTF_8)));
        assertThat(PolicyRun.text(both.post(JSON))).isEqualTo("{\"n\":\"1\"}");
    }

    @Test
    void messages_that_are_not_converted_pass_unless_they_are_refused() {
        PolicyRun passing = run(TO_XML + ", \"response\": \"xml-to-json\"");
        passing.answering(Response.of(200, "text/plain", "a".getBytes(UTF_8)));
        assertThat(told(xml(passing, "<a/>"))).isEqualTo("200");
        assertThat(told(passing.send(Exchanges.get("/")))).isEqualTo("200");

        PolicyRun run = run(TO_XML + ", \"response\": \"xml-to-json\", \"otherTypes\": \"refuse\"");
        run.answering(Response.of(200, "text/xml", "<a/>".getBytes(UTF_8)));
        assertThat(told(xml(run, "<a/>"))).isEqualTo("415 unsupported-media-type");
        assertThat(run.arrived()).isEmpty();
        assertThat(told(run.send(Exchanges.of("POST", "/").body("{}")))).isEqualTo("415 unsupported-media-type");
        assertThat(told(run.post("{\"a\": 1}"))).isEqualTo("200");
        run.answering(Response.of(200, "text/xml", "<a/>".getBytes(UTF_8)));
        assertThat(told(run.send(Exchanges.get("/")))).isEqualTo("200");
        run.answering(Response.of(200, "text/plain", "a".getBytes(UTF_8)));
        assertThat(told(run.post("{\"a\": 1}"))).isEqualTo("502 response-refused");
        run.answering(Response.of(202));
        assertThat(told(run.post("{\"a\": 1}"))).isEqualTo("202");

        PolicyRun required = run(TO_XML + ", \"required\": true");
        assertThat(told(required.send(Exchanges.get("/")))).isEqualTo("400 malformed-content");
        assertThat(told(required.post("{\"a\": 1}"))).isEqualTo("200");
    }

    @Test
    void what_is_no_json_or_xml_is_refused() {
        PolicyRun toXml = run(TO_XML);
        assertThat(told(toXml.post("{\"a\": 1, \"a\": 2}"))).isEqualTo("400 malformed-content");
        assertThat(told(toXml.send(Exchanges.of("POST", "/")
                        .with("Content-Type", "application/json; charset=utf-16")
                        .body("{\"a\":1}"))))
                .startsWith("415");
        PolicyRun toJson = run(TO_JSON);
        assertThat(told(xml(toJson, "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>")))
                .isEqualTo("400 malformed-content");
        assertThat(told(xml(toJson, "<a>".repeat(101)))).isEqualTo("400 content-too-complex");
        assertThat(told(xml(toJson, ""))).isEqualTo("200");
        assertThat(told(toJson.post("{"))).isEqualTo("200");
        assertThat(toJson.arrived()).isEqualTo("{");
    }

    @Test
    void what_comes_of_it_is_bounded() {
        String many = "{\"o\": {\"a\": [" + "\"&&&&&&&&&&\",".repeat(100) + "1]}}";

        assertThat(told(run(TO_XML + ", \"maxOutput\": 1024").post(many)))
                .isEqualTo("422 invalid-content : it would become more than 1024 bytes");
        assertThat(told(run(TO_XML).post(many))).isEqualTo("200");
        String quotes = "<a>" + "\"".repeat(1_000) + "</a>";
        assertThat(told(xml(run(TO_JSON + ", \"maxOutput\": 1024"), quotes)))
                .isEqualTo("422 invalid-content : it would become more than 1024 bytes");
    }

    @Test
    void a_long_name_that_is_written_again_and_again_takes_no_memory() {
        String few = "{\"o\": {\"" + "n".repeat(256) + "\": [" + "{},".repeat(90_000) + "{}]}}";
        String longer = "{\"o\": {\"" + "n".repeat(49_000) + "\": [" + "{},".repeat(90_000) + "{}]}}";
        String marked = "{\"o\": {\"" + " ".repeat(40) + "\": {}}}"; // seven characters for each

        assertThat(told(run(TO_XML).post(few)))
                .isEqualTo("422 invalid-content : it would become more than 4194304 bytes");
        assertThat(told(run(TO_XML).post(longer)))
                .startsWith("422 invalid-content /o/nnn")
                .endsWith("n…: a name of more than 256 characters")
                .hasSizeLessThan(400);
        assertThat(told(run(TO_XML).post(marked))).endsWith("a name of more than 256 characters");
        assertThat(told(run(TO_XML).post("{\"o\": {\"@xmlns:" + "p".repeat(300) + "\": \"urn:p\"}}")))
                .endsWith("a name of more than 256 characters");
    }

    @Test
    void what_comes_of_it_takes_memory_before_it_is_there() {
        var asked = new ArrayList<Long>();
        var text = new XmlWriting(1 << 20, bytes -> {
            asked.add(bytes);
            if (asked.size() > 3) throw new UpstreamException(UpstreamException.Kind.OVERLOADED, "full");
        });

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1 << 16; i++) text.markup("0123456789abcdef");
                })
                .isInstanceOf(UpstreamException.class);
        assertThat(asked).containsExactly(65_536L, 65_536L, 65_536L, 65_536L);
        assertThat(text.bytes()).hasSize(3 * 16 * 1024);
    }

    @ParameterizedTest
    @CsvSource({
        "1.1, http://schemas.xmlsoap.org/soap/envelope/, text/xml; charset=utf-8",
        "1.2, http://www.w3.org/2003/05/soap-envelope, application/soap+xml; charset=utf-8"
    })
    void requests_go_into_envelopes_and_answers_come_out_of_them(String version, String namespace, String type) {
        PolicyRun run = run(TO_XML + ", \"response\": \"xml-to-json\", \"soap\": \"" + version
                + "\", \"action\": \"urn:{request.query.do}\"" + ORDERS);
        run.answering(Response.of(200, type, envelope(namespace, "<r xmlns='urn:o'><n>1</n></r>")));

        Response answer = run.send(Exchanges.of("POST", "/?do=%22a%0D%0Ab")
                .with("Content-Type", "application/json")
                .body("{\"line\": 1}"));

        assertThat(PolicyRun.text(answer)).isEqualTo("{\"n\":\"1\"}");
        assertThat(run.arrived())
                .isEqualTo("<soap:Envelope xmlns:soap=\"" + namespace
                        + "\"><soap:Body><order xmlns=\"urn:o\"><line>1</line></order></soap:Body></soap:Envelope>");
        if (version.equals("1.1")) {
            assertThat(run.last().headers().all("Content-Type")).containsExactly(type);
            assertThat(run.last().headers().all("SOAPAction")).containsExactly("\"urn:%22a??b\"");
        } else {
            assertThat(run.last().headers().all("Content-Type")).containsExactly(type + "; action=\"urn:%22a??b\"");
        }
        run.answering(Response.of(200, type, envelope(namespace, "")));
        assertThat(PolicyRun.text(run.post("{}"))).isEqualTo("{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.1 | <s:Fault><faultcode>s:Client.Auth</faultcode><faultstring>no order 7</faultstring></s:Fault> | 400",
                "1.1 | <s:Fault><faultcode>s:Server</faultcode><faultstring>no order 7</faultstring></s:Fault> | 502",
                "1.2 | <s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text>no order 7</s:Text>"
                        + "</s:Reason></s:Fault> | 400",
                "1.2 | <s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason><s:Text>no order 7</s:Text>"
                        + "</s:Reason></s:Fault> | 502"
            })
    void faults_become_problems(String version, String fault, int status) {
        PolicyRun run = run("\"response\": \"xml-to-json\", \"soap\": \"" + version + '"');
        String namespace = version.equals("1.1")
                ? "http://schemas.xmlsoap.org/soap/envelope/"
                : "http://www.w3.org/2003/05/soap-envelope";
        run.answering(Response.of(500, "text/xml", envelope(namespace, fault)));

        Response answer = run.send(Exchanges.get("/"));

        assertThat(told(answer)).isEqualTo(status + " soap-fault");
        assertThat(PolicyRun.text(answer)).contains("no order 7");
    }

    @Test
    void a_service_of_json_speaks_soap_to_its_clients() {
        String namespace = "http://schemas.xmlsoap.org/soap/envelope/";
        PolicyRun run = run(TO_JSON + ", \"response\": \"json-to-xml\", \"soap\": \"1.1\", \"root\": \"ask\","
                + " \"responseRoot\": \"reply\"");
        run.answering("{\"n\": 1}");

        Response answer = run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "text/xml")
                .with("SOAPAction", "\"x\"")
                .body(envelope(namespace, "<ask><n>2</n></ask>")));

        assertThat(run.arrived()).isEqualTo("{\"n\":\"2\"}");
        assertThat(run.last().headers().contains("SOAPAction")).isFalse();
        assertThat(PolicyRun.text(answer)).contains("<soap:Body><reply><n>1</n></reply></soap:Body>");
        run.answering(Response.of(404, "application/problem+json", "{\"title\": \"No <such>\"}".getBytes(UTF_8)));
        Response fault = xml(run, new String(envelope(namespace, "<ask/>"), UTF_8));
        assertThat(fault.status()).isEqualTo(500);
        assertThat(PolicyRun.text(fault))
                .contains("<faultcode>soap:Client</faultcode><faultstring>No &lt;such&gt;</faultstring>");
    }

    @Test
    void envelopes_that_ask_for_more_than_to_be_opened_are_refused() {
        String namespace = "http://schemas.xmlsoap.org/soap/envelope/";
        PolicyRun run = run(TO_JSON + ", \"soap\": \"1.1\"");
        String good = new String(envelope(namespace, "<a/>"), UTF_8);

        assertThat(told(xml(run, good))).isEqualTo("200");
        assertThat(told(xml(run, good.replace("<s:Body>", "<s:Header><t/></s:Header><s:Body>"))))
                .isEqualTo("200");
        for (String bad : new String[] {
            "<a/>",
            good.replace(namespace, "http://www.w3.org/2003/05/soap-envelope"),
            good.replace("<a/>", "<a/><b/>"),
            good.replace("<a/>", "<a/>b"),
            good.replace("<a/>", "<![CDATA[b]]>"),
            good.replace("</s:Body>", "</s:Body>b"),
            good.replace("</s:Body>", "</s:Body><s:Body><b/></s:Body>"),
            good.replace("<s:Body>", "<s:Header><t s:mustUnderstand='1'/></s:Header><s:Body>")
        }) {
            assertThat(told(xml(run, bad))).as(bad).startsWith("422 invalid-content");
        }
    }

    @Test
    void a_definition_that_does_nothing_or_cannot_is_refused() {
        assertThatThrownBy(() -> run("\"style\": \"parker\""))
                .hasMessageContaining("expected request, response or both");
        assertThatThrownBy(() -> run(TO_XML + ", \"style\": \"parker\"")).hasMessageContaining("expected root");
        assertThatThrownBy(() -> run(TO_XML + ", \"root\": \"a b\"")).hasMessageContaining("/policies/0/root");
        assertThatThrownBy(() -> run(TO_XML + ", \"root\": \"p:a\"")).hasMessageContaining("/policies/0/root");
        assertThatThrownBy(() -> run(TO_XML + ", \"soap\": \"1.3\"")).hasMessageContaining("/policies/0/soap");
        assertThatThrownBy(() -> run(TO_XML + ", \"action\": \"x\"")).hasMessageContaining("/policies/0/action");
        assertThatThrownBy(() -> run(TO_XML + ", \"arrays\": [\"line\"]")).hasMessageContaining("/policies/0/arrays/0");
        assertThatThrownBy(() -> run(TO_XML + ", \"namespaces\": {\"xml\": \"urn:x\"}"))
                .hasMessageContaining("/policies/0/namespaces");
    }

    private static byte[] envelope(String namespace, String content) {
        return ("<s:Envelope xmlns:s='" + namespace + "'><s:Body>" + content + "</s:Body></s:Envelope>")
                .getBytes(UTF_8);
    }

    private static PolicyRun run(String fields) {
        return PolicyRun.of("{\"type\": \"convert\", " + fields + "}");
    }

    private static Response xml(PolicyRun run, String xml) {
        return run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/xml")
                .body(xml));
    }
}

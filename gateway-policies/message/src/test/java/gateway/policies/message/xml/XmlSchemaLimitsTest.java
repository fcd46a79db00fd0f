package gateway.policies.message.xml;

import static gateway.policies.message.PolicyRun.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What schemas and messages may take of what the JDK's validator itself does not bound.
@Timeout(60)
final class XmlSchemaLimitsTest {
    private static final String UNION = "<xs:simpleType name='U'><xs:union memberTypes='xs:int xs:double xs:date"
            + " xs:dateTime xs:time xs:duration xs:boolean xs:gYear xs:hexBinary xs:token'/></xs:simpleType>";
    private static final String MANY = "<xs:element name='r'><xs:complexType><xs:sequence>"
            + "<xs:element name='e' type='U' maxOccurs='unbounded'/></xs:sequence></xs:complexType></xs:element>";

    /// Of a union each member that a value is not of throws: these took 1.1 s of CPU.
    @Test
    void validation_ends_with_its_time() {
        String many = "<r>" + "<e>x</e>".repeat(49_000) + "</r>";

        Response answer = post(run(MANY + UNION, ", \"timeout\": \"10ms\""), many);

        assertThat(told(answer)).isEqualTo("400 content-too-complex");
        assertThat(PolicyRun.text(answer)).contains("taken more than 10 ms");
        assertThat(told(post(run(MANY + UNION, ", \"timeout\": \"30s\""), many)))
                .isEqualTo("200");
    }

    /// 1,000 of them over 2,000 elements took 4.5 s, all of it at the end tag of their scope.
    @Test
    void keys_are_compared_no_more_often_than_there_is_time() {
        String keyrefs = IntStream.range(0, 1_000)
                .mapToObj(
                        i -> "<xs:keyref name='r%d' refer='k'><xs:selector xpath='e'/><xs:field xpath='.'/></xs:keyref>"
                                .formatted(i))
                .collect(Collectors.joining());
        PolicyRun run = run(
                "<xs:element name='r'><xs:complexType><xs:sequence>"
                        + "<xs:element name='e' type='xs:token' maxOccurs='unbounded'/></xs:sequence></xs:complexType>"
                        + "<xs:key name='k'><xs:selector xpath='e'/><xs:field xpath='.'/></xs:key>" + keyrefs
                        + "</xs:element>",
                "");
        String many =
                IntStream.range(0, 2_000).mapToObj(i -> "<e>" + i + "</e>").collect(Collectors.joining());

        Response answer = post(run, "<r>" + many + "</r>");

        assertThat(told(answer)).isEqualTo("400 content-too-complex");
        assertThat(PolicyRun.text(answer)).contains("more comparisons of keys than 2000 ms are for");
        assertThat(told(post(run, "<r><e>1</e><e>2</e></r>"))).isEqualTo("200");
    }

    /// One value of 951 KB took 7 s, and nobody can look at a clock meanwhile.
    @Test
    void lists_of_types_of_the_schemas_own_are_no_longer_than_texts_may_be() {
        String list = "<xs:element name='r'><xs:simpleType><xs:list%s</xs:simpleType></xs:element>";
        PolicyRun named = run(list.formatted(" itemType='U'/>") + UNION, "");
        PolicyRun within = run(
                list.formatted("><xs:simpleType><xs:restriction base='xs:token'><xs:enumeration value='x'/>"
                        + "</xs:restriction></xs:simpleType></xs:list>"),
                "");

        for (PolicyRun each : new PolicyRun[] {named, within}) {
            assertThat(told(post(each, "<r>" + "x ".repeat(500) + "</r>"))).isEqualTo("200");
            assertThat(told(post(each, "<r>" + "x ".repeat(501) + "</r>"))).isEqualTo("400 content-too-complex");
        }
        assertThat(told(post(
                        run(list.formatted(" itemType='xs:double'/>"), ""), "<r>" + "1 ".repeat(100_000) + "</r>")))
                .isEqualTo("200");
    }

    /// Those of one element are validated at once: 64 of them took 64 times as long as one.
    @Test
    void attributes_of_one_element_are_together_no_longer_than_four_texts() {
        String attributes = IntStream.range(0, 64)
                .mapToObj(i -> "<xs:attribute name='a" + i + "' type='U'/>")
                .collect(Collectors.joining());
        String types = patterns("([a-z]{1,20}-?){1,60}", 1);
        PolicyRun run = run(
                MANY + types + "<xs:element name='a'><xs:complexType>" + attributes + "</xs:complexType></xs:element>",
                "");
        String value = "='" + "a".repeat(1_000) + "' ";

        assertThat(told(post(run, "<a a0" + value + "a1" + value + "a2" + value + "a3" + value + "/>")))
                .isEqualTo("200");
        assertThat(told(post(run, "<a a0" + value + "a1" + value + "a2" + value + "a3" + value + "a4='a'/>")))
                .isEqualTo("400 content-too-complex");
    }

    /// One of 1,000 characters may take a processor for as long as a pattern is large.
    @Test
    void what_patterns_look_at_is_no_matter_for_the_thread_of_a_request() {
        var services = new FakeServices();
        PolicyRun run = run(services, MANY + patterns("([a-z]{1,20}-?){1,60}", 1), "");

        assertThat(told(post(run, "<r><e>" + "a".repeat(200) + "</e></r>"))).isEqualTo("200");
        assertThat(services.workers().taken()).isEqualTo(0);
        assertThat(told(post(run, "<r><e>" + "a".repeat(260) + "</e></r>"))).isEqualTo("200");
        assertThat(services.workers().taken()).isEqualTo(1);
    }

    /// The JDK counts them down month by month: one took 3 s of CPU.
    @Test
    void durations_have_few_days() {
        String type = "<xs:simpleType name='U'><xs:restriction base='xs:duration'><xs:minInclusive value='P1D'/>"
                + "</xs:restriction></xs:simpleType>";
        String attribute = "<xs:element name='a'><xs:complexType><xs:attribute name='u' type='U'/></xs:complexType>"
                + "</xs:element>";
        PolicyRun run = run(MANY + type + attribute, "");

        for (String each : new String[] {"P999999D", "P10Y1M1DT1000000H1M100000000S"}) {
            assertThat(told(post(run, "<r><e>" + each + "</e><e> P2D </e></r>")))
                    .as(each)
                    .isEqualTo("200");
            assertThat(told(post(run, "<a u='" + each + "'/>"))).as(each).isEqualTo("200");
        }
        for (String each : new String[] {"P2147483000D", "-P1Y1000000D", "PT10000000H"}) {
            assertThat(told(post(run, "<r><e>P1D</e><e> " + each + "</e></r>")))
                    .as(each)
                    .isEqualTo("400 content-too-complex");
            assertThat(told(post(run, "<r><e>" + each.replace("000", "0<!-- -->00") + "</e></r>")))
                    .as(each)
                    .isEqualTo("400 content-too-complex");
            assertThat(told(post(run, "<a u='" + each + "'/>"))).as(each).isEqualTo("400 content-too-complex");
        }
    }

    /// What is counted in a pattern is written out when the first value comes, until no memory is left.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "((a{1,1000}){1,1000}){1,1000}",
                "a{100000000}b",
                "(a?b?){2600}",
                "(a{1,100}|b){1,51}",
                "((((x){9}){9}){9}){999}"
            })
    void patterns_that_are_too_large_are_refused(String pattern) {
        refused(patterns(pattern, 1), "a pattern of more than");
    }

    @Test
    void patterns_of_one_type_and_long_ones_are_refused_likewise() {
        refused(patterns("(a*b*)*c", 5000), "a pattern of more than");
        refused(
                patterns(
                        IntStream.range(0, 12_000)
                                .mapToObj(i -> Character.toString(0x4000 + i))
                                .collect(Collectors.joining("", "[", "]")),
                        1),
                "a pattern of more than");

        for (String each : new String[] {".{0,65535}", "[A-Z]{1,3}[0-9]{2,40}", "([A-Z0-9]{1,20}-?){1,40}"}) {
            assertThat(told(post(run(MANY + patterns(each, 1), ""), "<r><e>A11</e></r>")))
                    .as(each)
                    .isEqualTo("200");
        }
    }

    private static String patterns(String pattern, int times) {
        return "<xs:simpleType name='U'><xs:restriction base='xs:string'>"
                + ("<xs:pattern value='" + pattern + "'/>").repeat(times) + "</xs:restriction></xs:simpleType>";
    }

    /// Each of thirty unions of the one before, twice, took all memory; of groups so, all time.
    @Test
    void what_becomes_too_large_where_names_stand_for_what_they_mean_is_refused() {
        String unions = IntStream.range(0, 30)
                .mapToObj(i -> "<xs:simpleType name='u%d'><xs:union memberTypes='u%d u%d'/></xs:simpleType>"
                        .formatted(i + 1, i, i))
                .collect(Collectors.joining());
        String groups = IntStream.range(0, 40)
                .mapToObj(i -> ("<xs:group name='g%d'><xs:sequence><xs:group ref='g%d'/><xs:group ref='g%d'/>"
                                + "</xs:sequence></xs:group>")
                        .formatted(i + 1, i, i))
                .collect(Collectors.joining());
        String extensions = IntStream.range(0, 2_500)
                .mapToObj(i -> ("<xs:complexType name='t%d'><xs:complexContent><xs:extension base='t%d'><xs:sequence>"
                                + "<xs:element name='e%d'/></xs:sequence></xs:extension></xs:complexContent>"
                                + "</xs:complexType>")
                        .formatted(i + 1, i, i))
                .collect(Collectors.joining());

        refused(
                unions + "<xs:simpleType name='u0'><xs:restriction base='xs:int'/></xs:simpleType>"
                        + "<xs:element name='r' type='u30'/>",
                "a union of more than 1000 types");
        refused(
                groups + "<xs:group name='g0'><xs:sequence><xs:element name='e'/></xs:sequence></xs:group>"
                        + "<xs:element name='r'><xs:complexType><xs:group ref='g40'/></xs:complexType></xs:element>",
                "a type of more than 2000 elements");
        refused(
                extensions + "<xs:complexType name='t0'/><xs:element name='r' type='t2500'/>",
                "a type of more than 2000 elements");
    }

    /// Each copies what the one before it has: 5,000 took minutes, and nothing ends the compiler.
    @Test
    void chains_of_attribute_groups_are_refused_before_they_are_compiled() {
        String groups = IntStream.range(0, 1_000)
                .mapToObj(i -> ("<xs:attributeGroup name='g%d'><xs:attributeGroup ref='g%d'/>"
                                + "<xs:attribute name='a%d'/></xs:attributeGroup>")
                        .formatted(i + 1, i, i))
                .collect(Collectors.joining());

        refused(groups + "<xs:attributeGroup name='g0'/>", "more than 500 attributes");
    }

    @Test
    void many_types_of_many_attributes_or_elements_are_refused_likewise() {
        String attributes = IntStream.range(0, 490)
                .mapToObj(i -> "<xs:attribute name='a" + i + "'/>")
                .collect(Collectors.joining("", "<xs:complexType name='t0'>", "</xs:complexType>"));
        String elements = IntStream.range(0, 1_900)
                .mapToObj(i -> "<xs:element name='e" + i + "' minOccurs='0'/>")
                .collect(Collectors.joining(
                        "", "<xs:complexType name='t0'><xs:sequence>", "</xs:sequence></xs:complexType>"));
        String types = IntStream.range(1, 1_000)
                .mapToObj(i -> "<xs:complexType name='t" + i
                        + "'><xs:complexContent><xs:extension base='t0'/></xs:complexContent></xs:complexType>")
                .collect(Collectors.joining());

        refused(attributes + types, "so many attributes");
        refused(elements + types, "so many elements");
    }

    /// The compiler takes the cube of their number: 14 s for 1,990.
    @Test
    void one_type_of_very_many_elements_is_refused() {
        String elements = IntStream.range(0, 1_990)
                .mapToObj(i -> "<xs:element name='e%d' minOccurs='0'/>".formatted(i))
                .collect(Collectors.joining());

        refused(
                "<xs:complexType name='t'><xs:sequence>" + elements + "</xs:sequence></xs:complexType>",
                "so many elements");
    }

    @Test
    void what_may_stand_for_others_counts_in_each_of_its_places() {
        String chains = IntStream.range(0, 3_000)
                .filter(i -> i % 1_000 != 999)
                .mapToObj(i -> "<xs:element name='h%d' substitutionGroup='h%d'/>".formatted(i, i + 1))
                .collect(Collectors.joining());
        String heads = "<xs:element name='h999'/><xs:element name='h1999'/><xs:element name='h2999'/>";

        refused(chains + heads, "substitution groups");
    }

    @Test
    void a_schema_that_is_nested_too_deeply_for_the_compiler_is_refused_under_its_pointer() {
        refused(patterns("(".repeat(4_900) + "a" + ")".repeat(4_900), 1), "nested too deeply");
    }

    private static void refused(String content, String why) {
        assertThatThrownBy(() -> run(MANY + content, ""))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/policies/0/schemas/0")
                .hasMessageContaining(why);
    }

    private static PolicyRun run(String content, String more) {
        return run(new FakeServices(), content, more);
    }

    private static PolicyRun run(FakeServices services, String content, String more) {
        services.putResource(
                "a.xsd", "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'>" + content + "</xs:schema>");
        return PolicyRun.of(
                "{\"type\": \"xml-schema\", \"schemas\": [{\"resource\": \"a.xsd\"}]" + more + "}", services);
    }

    private static Response post(PolicyRun run, String xml) {
        return run.send(Exchanges.of("POST", "/")
                .with("Content-Type", "application/xml")
                .body(xml));
    }
}

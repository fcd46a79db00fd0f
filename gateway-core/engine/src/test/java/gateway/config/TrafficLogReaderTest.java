package gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.capture.BodyMask;
import gateway.capture.BodyRule;
import gateway.capture.CapturedBody;
import gateway.capture.ContentTypes;
import gateway.capture.JsonMask;
import gateway.capture.ParameterMask;
import gateway.config.TrafficLogDefinition.Capture;
import gateway.http.Headers;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.CredentialFields;
import gateway.service.TrafficRecord;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TrafficLogReaderTest {
    private static final ParameterMask PARAMETERS = new ParameterMask(Set.of("token"));
    private static final JsonMask PATHS = JsonMask.of(List.of("$.password", "$..pin"));
    private static final ContentTypes TYPES = new ContentTypes(List.of("application/json", "text/*"));

    @Test
    void is_a_switch_that_is_on_unless_turned_off() {
        assertThat(read("{}")).isEqualTo(TrafficLogDefinition.ON);
        assertThat(read("{\"trafficLog\": true}")).isEqualTo(TrafficLogDefinition.ON);
        assertThat(read("{\"trafficLog\": false}")).isEqualTo(TrafficLogDefinition.OFF);
        assertThat(read("{\"trafficLog\": {}}")).isEqualTo(TrafficLogDefinition.ON);
    }

    @Test
    void reads_sample_mask_and_capture() {
        assertThat(read("""
                {"trafficLog": {"sample": 0.25,
                "mask": {"headers": ["X-Token"], "query": ["token"], "json": ["$.password", "$..pin"]},
                "capture": {"request": {"headers": true, "query": true, "body": "4KiB"}, "response": {"body": 100},
                "contentTypes": ["application/JSON", "text/*"]}}}"""))
                .isEqualTo(new TrafficLogDefinition(
                        0.25,
                        new Mask(Set.of("X-Token"), PARAMETERS, PATHS),
                        new Capture(true, true, new BodyRule(4096, TYPES, new BodyMask(PARAMETERS, PATHS))),
                        new Capture(false, false, new BodyRule(100, TYPES, new BodyMask(PARAMETERS, PATHS)))));
        assertThat(read("{\"trafficLog\": {\"capture\": {\"request\": {\"body\": 1}}}}")
                        .request()
                        .body())
                .isEqualTo(new BodyRule(1, ContentTypes.TEXT, BodyMask.NOTHING));
    }

    @Test
    void names_every_problem_under_its_pointer() {
        Assertions.assertThatThrownBy(() -> read("""
                        {"trafficLog": {"sample": 2, "mask": {"headers": ["a b"], "json": ["$.a", "/x", "$.a[?(@.b)]"], "body": []},
                        "capture": {"request": {"body": "1MiB"}, "response": {"query": true, "body": true},
                        "contentTypes": ["text/*", "json"]}}}"""))
                .isInstanceOfSatisfying(
                        InvalidConfigException.class,
                        e -> assertThat(e.problems().stream().map(Object::toString))
                                .containsExactlyInAnyOrder(
                                        "/trafficLog/sample: expected a share from 0 to 1, got 2",
                                        "/trafficLog/mask/headers/0: expected a header name, got \"a b\"",
                                        "/trafficLog/mask/json/1: expected a JSON path such as \"$.card.number\";"
                                                + " expected \"$\" at character 1",
                                        "/trafficLog/mask/json/2: expected a JSON path such as \"$.card.number\";"
                                                + " expected \"*\", an index or a quoted name at character 5",
                                        "/trafficLog/mask/body: unknown field",
                                        "/trafficLog/capture/request/body: expected a size from 1 to 262144 bytes,"
                                                + " got \"1MiB\"",
                                        "/trafficLog/capture/response/body: expected a size such as \"64KiB\","
                                                + " got true",
                                        "/trafficLog/capture/contentTypes/1: expected a media type such as"
                                                + " \"application/json\", \"text/*\" or \"application/*+json\","
                                                + " got \"json\"",
                                        "/trafficLog/capture/response/query: unknown field"));
        Assertions.assertThatThrownBy(() -> read("{\"trafficLog\": \"yes\"}"))
                .hasMessage("/trafficLog: expected true, false or an object, got \"yes\"");
    }

    @Test
    void samples_about_the_share_asked_for_and_always_the_same_requests() {
        var tenth = new TrafficLogDefinition(0.1, Mask.USUAL, Capture.NOTHING, Capture.NOTHING);
        var half = new TrafficLogDefinition(0.5, Mask.USUAL, Capture.NOTHING, Capture.NOTHING);
        List<String> ids = IntStream.range(0, 20_000).mapToObj(i -> "req-" + i).toList();

        List<String> few = ids.stream().filter(tenth::records).toList();

        assertThat(few).hasSizeBetween(1_800, 2_200).allMatch(half::records).allMatch(tenth::records);
        assertThat(ids.stream().filter(half::records).count()).isBetween(9_700L, 10_300L);
        assertThat(ids).allMatch(TrafficLogDefinition.ON::records).noneMatch(TrafficLogDefinition.OFF::records);
    }

    @Test
    void masks_credentials_and_what_it_is_told_to() {
        var definition = new TrafficLogDefinition(
                1,
                new Mask(Set.of("x-token"), new ParameterMask(Set.of("to ken")), JsonMask.NOTHING),
                new Capture(true, true, BodyRule.OFF),
                new Capture(true, false, BodyRule.OFF));
        Headers request = Headers.create();
        request.add("Authorization", "Bearer s3cret");
        request.add("X-TOKEN", "s3cret");
        request.add("Accept", "*/*");
        Headers response = Headers.create();
        response.add("Set-Cookie", "sid=s3cret");

        assertThat(definition.detail(
                        "a=1&to%20ken=s3cret&to+ken=s3cret&&b",
                        request, response, CapturedBody.NONE, CapturedBody.NONE))
                .isEqualTo(new TrafficRecord.Detail(
                        "a=1&to%20ken=***&to+ken=***&&b",
                        List.of("Authorization", "***", "X-TOKEN", "***", "Accept", "*/*"),
                        List.of("Set-Cookie", "***"),
                        CapturedBody.NONE,
                        CapturedBody.NONE));
        assertThat(TrafficLogDefinition.ON.detail("a=1", request, response, CapturedBody.NONE, CapturedBody.NONE))
                .isSameAs(TrafficRecord.Detail.NONE);
    }

    @Test
    void masks_where_policies_look_for_credentials_also_in_locations_but_not_in_bodies() {
        var definition = new TrafficLogDefinition(1, Mask.USUAL, new Capture(true, true, BodyRule.OFF), Capture.NOTHING)
                .hiding(new CredentialFields(Set.of("X-Key"), Set.of("api_key")));
        Headers request = Headers.create();
        request.add("x-key", "s3cret");
        request.add("Referer", "https://a/?api_key=s3cret&x=1");
        request.add("X-Other", "/?api_key=1");

        assertThat(definition.detail(
                        "api%5Fkey=s3cret&x=1", request, Headers.create(), CapturedBody.NONE, CapturedBody.NONE))
                .isEqualTo(new TrafficRecord.Detail(
                        "api%5Fkey=***&x=1",
                        List.of("x-key", "***", "Referer", "https://a/?api_key=***&x=1", "X-Other", "/?api_key=1"),
                        List.of(),
                        CapturedBody.NONE,
                        CapturedBody.NONE));
        assertThat(definition.request().body()).isEqualTo(BodyRule.OFF);
        assertThat(TrafficLogDefinition.ON.hiding(CredentialFields.USUAL)).isSameAs(TrafficLogDefinition.ON);
    }

    private static TrafficLogDefinition read(String json) {
        var node = ConfigNode.parse(json);
        var read = TrafficLogReader.read(node.field("trafficLog"));
        node.throwIfInvalid();
        return read;
    }
}

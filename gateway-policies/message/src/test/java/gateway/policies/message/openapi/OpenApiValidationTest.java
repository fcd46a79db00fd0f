package gateway.policies.message.openapi;

import static gateway.policies.message.PolicyRun.told;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.InvalidConfigException;
import gateway.json.Json;
import gateway.policies.message.PolicyRun;
import gateway.policy.FakeServices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OpenApiValidationTest {
    private static final String JSON = "application/json";
    private static final String FORM = "application/x-www-form-urlencoded";

    private static final String ORDERS = """
            openapi: 3.0.3
            info: {title: Orders, version: '1'}
            paths:
              /items:
                get:
                  parameters:
                    - {name: limit, in: query, schema: {type: integer, minimum: 1}}
                    - {name: tags, in: query, schema: {type: array, items: {type: string, pattern: '^[a-z ]+$'}}}
                    - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
                    - {name: pipes, in: query, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}
                    - {name: spaces, in: query, style: spaceDelimited, explode: false, schema: {type: array, items: {type: integer}}}
                    - {name: page, in: query, style: deepObject, schema: {type: object, additionalProperties: false, properties: {size: {type: integer}}}}
                    - {name: range, in: query, schema: {type: object, properties: {from: {type: integer}, to: {type: integer}}}}
                    - {name: where, in: query, content: {application/json: {schema: {type: object, required: [a]}}}}
                    - {name: bare, in: query, allowEmptyValue: true, schema: {type: integer}}
                    - {name: X-Flags, in: header, schema: {type: array, items: {type: boolean}}}
                    - {name: session, in: cookie, schema: {type: string, minLength: 3}}
                  responses: {'200': {description: fine}}
                post:
                  requestBody:
                    required: true
                    content:
                      application/json: {schema: {$ref: '#/components/schemas/Item'}}
                      application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Item'}}
                      text/plain: {schema: {type: integer}}
                      multipart/form-data:
                        schema:
                          type: object
                          required: [file]
                          properties:
                            file: {type: string, format: binary, maxLength: 8}
                            count: {type: integer}
                            meta: {type: object, required: [a]}
                            files: {type: array, items: {type: string}}
                        encoding: {file: {contentType: image/png}}
                      image/*: {}
                  responses:
                    '201':
                      description: made
                      headers: {X-Left: {required: true, schema: {type: integer}}}
                      content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}
                    4XX: {description: wrong}
              /items/{id}:
                parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int32}}]
                get: {responses: {default: {description: any}}}
              /items/all: {get: {responses: {default: {description: any}}}}
              /points/{at}: {get: {parameters: [{$ref: '#/components/parameters/At'}], responses: {}}}
              /colors:
                post:
                  requestBody:
                    content:
                      application/x-www-form-urlencoded:
                        schema:
                          type: object
                          additionalProperties: {type: array, items: {type: string}}
                        encoding: {a: {explode: false}, b: {explode: false}}
                  responses: {}
              /labels/{at}: {get: {parameters: [{name: at, in: path, required: true, style: label, explode: true, schema: {type: array, items: {type: integer}}}], responses: {}}}
              /matrix/{at}: {get: {parameters: [{name: at, in: path, required: true, style: matrix, schema: {type: array, items: {type: integer}}}], responses: {}}}
              /files/{name}.{kind}: {get: {parameters: [{name: kind, in: path, required: true, schema: {enum: [png, gif]}}], responses: {}}}
            components:
              parameters:
                At: {name: at, in: path, required: true, schema: {type: array, maxItems: 2, items: {type: string}}}
              schemas:
                Item:
                  type: object
                  required: [id, name]
                  additionalProperties: false
                  properties:
                    id: {type: integer, readOnly: true}
                    name: {type: string, maxLength: 5}
                    secret: {type: string, writeOnly: true}
                    note: {type: string, nullable: true}
                    price: {type: number, minimum: 0, exclusiveMinimum: true}
                    tags: {type: array, items: {type: string}}
                    part: {$ref: '#/components/schemas/Item'}
            """;

    private final FakeServices services = new FakeServices();

    private PolicyRun orders(String more) {
        return with(ORDERS, more);
    }

    private PolicyRun with(String document, String more) {
        services.putResource("orders.yaml", document);
        return PolicyRun.of(
                "{\"type\": \"openapi-validation\", \"document\": {\"resource\": \"orders.yaml\"}" + more + "}",
                services);
    }

    private static Exchanges colors(String form) {
        return Exchanges.of("POST", "/colors").with("Content-Type", FORM).body(form);
    }

    private static Exchanges post(String type, String body) {
        return Exchanges.of("POST", "/items").with("Content-Type", type).body(body);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/items",
                "/items?limit=5&other=x",
                "/items?tags=a&tags=b+c&tags=d%20e",
                "/items?tags=a",
                "/items?ids=1,2,3",
                "/items?pipes=1|2&spaces=1%202",
                "/items?pipes=1%7C2&spaces=1+2",
                "/items?page[size]=5",
                "/items?page%5Bsize%5D=5",
                "/items?from=1&to=2",
                "/items?where=%7B%22a%22%3A1%7D",
                "/items?bare=",
                "/items/7",
                "/items/-7",
                "/items/all",
                "/points/a,b",
                "/points/a%2Cb,c",
                "/labels/.1.2",
                "/matrix/;at=1,2",
                "/files/a.png"
            })
    void lets_pass_what_the_document_has(String target) {
        assertThat(told(orders("").send(Exchanges.get(target)))).isEqualTo("200");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            /items?limit=0                  ! `query /limit: minimum: expected at least 1`
            /items?limit=                   ! `query /limit: type: expected integer`
            /items?limit=05                 ! `query /limit: type: expected integer`
            /items?limit=%35x               ! `query /limit: type: expected integer`
            /items?limit=%zz                ! `query /limit: expected one value as its style has it`
            /items?limit=1&limit=2          ! `query /limit: expected one value as its style has it`
            /items?limit=1&%6cimit=2        ! `query /limit: expected one value as its style has it`
            /items?%ff=1                    ! `query : expected names that are percent-encoded UTF-8`
            /items?tags=a%2bb               ! `query /tags/0: pattern: expected text that the pattern of the schema matches`
            /items?tags=a&tags=             ! `query /tags/1: pattern: expected text that the pattern of the schema matches`
            /items?ids=1,x                  ! `query /ids/1: type: expected integer`
            /items?ids=1%2C2                ! `query /ids/0: type: expected integer`
            /items?ids=1&ids=2              ! `query /ids: expected one value as its style has it`
            /items?page[size]=x             ! `query /page/size: type: expected integer`
            /items?page[other]=1            ! `query /page/other: false: expected nothing here`
            /items?page=1&page[size]=5      ! `query /page: expected one value as its style has it`
            /items?page[size]=5&page[size=x ! `query /page: expected one value as its style has it`
            /items?page[size]x=5            ! `query /page: expected one value as its style has it`
            /items?from=x                   ! `query /range/from: type: expected integer`
            /items?where={}                 ! `query /where: required: expected a member "a"`
            /items?where=x                  ! `query /where: expected one value as its style has it`
            /items/x                        ! `path /id: type: expected integer`
            /items/2147483648               ! `path /id: format: expected int32`
            /points/a,b,c                   ! `path /at: maxItems: expected at most 2 elements`
            /labels/.1.x                    ! `path /at/1: type: expected integer`
            /labels/1                       ! `path /at: expected one value as its style has it`
            /matrix/;at=x                   ! `path /at/0: type: expected integer`
            /matrix/;to=1                   ! `path /at: expected one value as its style has it`
            /files/a.exe                    ! `path /kind: enum: expected one of the values of the schema`
            """)
    void refuses_parameters_that_are_not_so_and_says_which(String target, String error) {
        assertThat(errors(orders("").send(Exchanges.get(target)))).isEqualTo("422 " + error);
    }

    /// As `422 query /limit: minimum: …`.
    private static String errors(Response answer) {
        var told = new StringBuilder().append(answer.status());
        if (answer.reason().isEmpty()) return told.toString();
        for (var each : Json.parse(PolicyRun.text(answer)).path("errors").values()) {
            told.append(' ').append(each.path("in").asString(""));
            told.append(' ').append(each.get("pointer").stringValue());
            told.append(": ").append(each.get("message").stringValue());
        }
        return told.toString();
    }

    @Test
    void reads_headers_and_cookies() {
        var run = orders("");

        assertThat(run.send(Exchanges.get("/items")
                                .with("X-Flags", "true , false")
                                .with("X-Flags", "true"))
                        .status())
                .isEqualTo(200);
        assertThat(errors(run.send(Exchanges.get("/items").with("x-flags", "true,1"))))
                .isEqualTo("422 header /X-Flags/1: type: expected boolean");
        assertThat(run.send(Exchanges.get("/items").with("Cookie", "a=b; session=abc"))
                        .status())
                .isEqualTo(200);
        assertThat(errors(run.send(Exchanges.get("/items").with("Cookie", "session=a"))))
                .isEqualTo("422 cookie /session: minLength: expected at least 3 characters");
        assertThat(errors(run.send(Exchanges.get("/items").with("Cookie", "session=abc; session=a"))))
                .isEqualTo("422 cookie /session: expected one value as its style has it");
    }

    @Test
    void padding_hides_no_cookie() {
        var run = orders("");

        assertThat(errors(run.send(Exchanges.get("/items").with("Cookie", ";".repeat(1_001) + "session=a"))))
                .isEqualTo("422 cookie /session: minLength: expected at least 3 characters");
        assertThat(errors(run.send(Exchanges.get("/items").with("Cookie", "a=b;".repeat(1_001) + "session=a"))))
                .isEqualTo("422 cookie : expected at most 1000 cookies");
    }

    @Test
    void tells_all_that_is_wrong_at_once_up_to_a_bound() {
        Exchanges request = Exchanges.get("/items?limit=0&ids=x,y").with("X-Flags", "1");

        assertThat(errors(orders("").send(request)))
                .isEqualTo("422 query /limit: minimum: expected at least 1 query /ids/0: type: expected integer"
                        + " query /ids/1: type: expected integer header /X-Flags/0: type: expected boolean");
        assertThat(errors(orders(", \"errors\": 2, \"status\": 400").send(request)))
                .isEqualTo("400 query /limit: minimum: expected at least 1 query /ids/0: type: expected integer");
    }

    @Test
    void knows_no_other_paths_and_methods() {
        for (String target : new String[] {"/", "/item", "/items/", "/items/7/x", "/items//7", "/files/.png"})
            assertThat(told(orders("").send(Exchanges.get(target)))).isEqualTo("404 not-found");
        Response refused = orders("").send(Exchanges.of("DELETE", "/items"));
        assertThat(told(refused)).isEqualTo("405 method-not-allowed");
        assertThat(refused.headers().first("Allow")).contains("GET, HEAD, POST");
        assertThat(orders("").send(Exchanges.of("HEAD", "/items")).status()).isEqualTo(200);

        var passing = orders(", \"unknownPaths\": \"pass\"");
        assertThat(passing.send(Exchanges.get("/other")).status()).isEqualTo(200);
        assertThat(passing.send(Exchanges.of("DELETE", "/items")).status()).isEqualTo(200);
        assertThat(passing.send(Exchanges.get("/items/x")).status()).isEqualTo(422);
    }

    @Test
    void takes_the_base_path_off_on_segment_borders() {
        var run = orders(", \"basePath\": \"/v1\"");

        assertThat(run.send(Exchanges.get("/v1/items")).status()).isEqualTo(200);
        assertThat(run.send(Exchanges.get("/v1items")).status()).isEqualTo(404);
        assertThat(run.send(Exchanges.get("/items")).status()).isEqualTo(404);
        assertThat(run.send(Exchanges.get("/v1/items/x")).status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"name":"a"}                     | 200
            {"name":"a","note":null}         | 200
            {"name":"a","secret":"s"}        | 200
            {"name":"a","part":{"name":"b"}} | 200
            {"id":1,"name":"a"}              | `422 body /id: readOnly: expected nothing in a request`
            {"name":null}                    | `422 body /name: type: expected string`
            {"name":"a","price":0}           | `422 body /price: minimum: expected more than 0`
            {"name":"a","x":1}               | `422 body /x: false: expected nothing here`
            {"name":"a","part":{}}           | `422 body /part: required: expected a member "name"`
            {"name":"a","name":"b"}          | `400`
            {"name":                         | `400`
            """)
    void looks_at_json(String json, String expected) {
        assertThat(errors(orders("").send(post(JSON, json)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            name=a&tags=x&tags=y    | 200
            name=a&tags=x           | 200
            name=a+b&price=1.5      | 200
            name=toolong            | `422 body /name: maxLength: expected at most 5 characters`
            name=%2b%2b%2b+++       | `422 body /name: maxLength: expected at most 5 characters`
            name=a&price=x          | `422 body /price: type: expected number`
            name=a&x=1              | `422 body /x: false: expected nothing here`
            name=a&name=b           | `422 body /name: expected one value as the document has it written`
            name=%zz                | `422 body /name: expected one value as the document has it written`
            """)
    void looks_at_forms(String form, String expected) {
        assertThat(errors(orders("").send(post(FORM, form)))).isEqualTo(expected);
    }

    private static String part(String disposition, String type, String content) {
        String line = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        return "--x\r\nContent-Disposition: form-data; " + disposition + "\r\n" + line + "\r\n" + content + "\r\n";
    }

    @Test
    void looks_at_the_parts_of_a_multipart_form() {
        var run = orders("");
        String type = "multipart/form-data; boundary=x";
        String file = part("name=\"file\"; filename=\"a.png\"", "image/png", "\r\n--y\r\n");

        assertThat(errors(run.send(post(type, file + "--x--\r\n")))).isEqualTo("200");
        assertThat(errors(run.send(post(
                        type,
                        file + part("name=\"count\"", "", "5") + part("name=\"meta\"", "", "{\"a\":1}")
                                + part("name=\"files\"", "", "one") + "--x--"))))
                .isEqualTo("200");
        assertThat(errors(run.send(
                        post(type, part("name=file", "image/png", "") + part("name=count", "", "x") + "--x--"))))
                .isEqualTo("422 body /count: type: expected integer");
        assertThat(errors(run.send(post(type, part("name=count", "", "5") + "--x--"))))
                .isEqualTo("422 body : required: expected a member \"file\"");
        assertThat(errors(run.send(post(type, part("name=file", "text/html", "a") + "--x--"))))
                .isEqualTo("422 body /file: expected content of a type that the document has");
        assertThat(errors(run.send(post(type, part("name=file", "image/png", "123456789") + "--x--"))))
                .isEqualTo("422 body /file: maxLength: expected at most 8 characters");
        assertThat(errors(run.send(post(type, file + file + "--x--"))))
                .isEqualTo("422 body /file: expected one value as the document has it written");
        assertThat(errors(run.send(post(type, file + part("name=meta", "", "{}") + "--x--"))))
                .isEqualTo("422 body /meta: required: expected a member \"a\"");
    }

    /// Each reader would find other parts in these.
    @Test
    void refuses_multipart_forms_that_can_be_read_in_two_ways() {
        String type = "multipart/form-data; boundary=x";
        String good = part("name=file", "image/png", "a") + "--x--";
        for (String body : new String[] {
            "preamble\r\n" + good,
            good + "more",
            good.replace("\r\n", "\n"),
            good.replace("--x--", "--x"),
            good.replace("name=file", "name=file; name=other"),
            good.replace("name=file", "name=file; name*=utf-8''other"),
            good.replace("name=file", "name=\"fi\\\"le\""),
            good.replace("name=file", "filename=file"),
            good.replace("image/png", "image/png\r\nContent-Transfer-Encoding: base64"),
            good.replace("image/png", "image/png\r\nContent-Disposition: form-data; name=other"),
            good.replace("image/png", "image/png\r\n folded: x")
        }) {
            assertThat(told(orders("").send(post(type, body)))).as(body).isEqualTo("400 malformed-content");
        }
        for (String other :
                new String[] {"", "; boundary=x; boundary=y", "; boundary=\"\"", "; boundary=" + "x".repeat(71)})
            assertThat(told(orders("").send(post("multipart/form-data" + other, good))))
                    .isEqualTo("400 malformed-content");
        assertThat(told(orders("").send(post(type, part("name=a", "", "").repeat(101) + "--x--"))))
                .startsWith("400 content-too-complex");
        assertThat(told(orders("").send(post(FORM, "a&".repeat(1_001))))).startsWith("400 content-too-complex");
    }

    @Test
    void takes_forms_whose_lists_have_few_elements_together() {
        String half = "x,".repeat(49_999) + "x";
        String few = half.substring(60_000);

        assertThat(told(orders("").send(colors("a=" + few + "&b=" + few)))).isEqualTo("200");
        for (String many : new String[] {"a=" + half + "&b=" + half + ",x", "a=" + half + ',' + half + ",x"}) {
            Response refused = orders("").send(colors(many));
            assertThat(told(refused)).isEqualTo("400 content-too-complex");
            assertThat(PolicyRun.text(refused)).contains("a form of more than 100000 elements");
        }
    }

    /// Readers who heed what is said here would see other values than were looked at.
    @Test
    void refuses_forms_that_say_they_are_in_another_charset() {
        String type = "multipart/form-data; boundary=x";
        String file = part("name=file", "image/png", "a");
        for (String field : new String[] {
            part("name=meta", "application/json; charset=utf-7", "{\"a\":1}"),
            part("name=meta", "application/json; charset=\"cp037\"", "{\"a\":1}"),
            part("name=meta", "application/json; charset*=us-ascii''cp037", "{\"a\":1}"),
            part("name=count", "text/plain; charset=UTF-16", "5"),
            part("name=\"_charset_\"", "", "utf-7") + part("name=count", "", "5")
        })
            assertThat(told(orders("").send(post(type, file + field + "--x--"))))
                    .as(field)
                    .isEqualTo("415 unsupported-media-type");
        for (String form : new String[] {"name=a&_charset_=utf-7", "%5fcharset%5F=%63p037", "_CHARSET_=cp037"})
            assertThat(told(orders("").send(post(FORM, form)))).as(form).isEqualTo("415 unsupported-media-type");
        assertThat(told(orders("").send(post(type + "; charset=utf-7", file + "--x--"))))
                .isEqualTo("415 unsupported-media-type");
        String plain = part("name=count", "text/plain; charset=UTF-8", "5");
        assertThat(errors(orders("").send(post(type, file + plain + "--x--")))).isEqualTo("200");
    }

    @Test
    void takes_content_of_the_types_of_the_document_alone() {
        var run = orders("");

        assertThat(run.send(post("text/plain", "5")).status()).isEqualTo(200);
        assertThat(errors(run.send(post("text/plain", "x")))).isEqualTo("422 body : type: expected integer");
        assertThat(run.send(post("image/png", "anything")).status()).isEqualTo(200);
        for (String other : new String[] {"application/xml", "text/html", "json", "application/json2"})
            assertThat(told(run.send(post(other, "{}")))).isEqualTo("415 unsupported-media-type");
        assertThat(told(run.send(post(JSON, "{}").with("Content-Type", "text/plain"))))
                .isEqualTo("415 unsupported-media-type");
        assertThat(told(run.send(post(JSON + "; charset=utf-16", "{}")))).isEqualTo("415 unsupported-media-type");
        assertThat(told(run.send(Exchanges.of("POST", "/items").body("{}")))).isEqualTo("415 unsupported-media-type");
        assertThat(errors(run.send(Exchanges.of("POST", "/items")))).isEqualTo("422 body : expected content");
        assertThat(told(run.send(
                        Exchanges.of("GET", "/items").with("Content-Type", JSON).body("{}"))))
                .isEqualTo("415 unsupported-media-type");
    }

    @Test
    void a_schema_for_every_type_is_led_around_by_no_missing_or_doubled_type() {
        var run = with("""
                openapi: 3.0.3
                paths:
                  /any: {post: {requestBody: {content: {'*/*': {schema: {type: object, required: [a]}}}}, responses: {}}}
                  /free: {post: {requestBody: {content: {'*/*': {}}}, responses: {}}}
                """, "");

        Exchanges any = Exchanges.of("POST", "/any").body("{}");
        assertThat(told(run.send(any))).isEqualTo("415 unsupported-media-type");
        for (String type : new String[] {"", "json", "application/json, application/json", "application/json/x"})
            assertThat(told(run.send(Exchanges.of("POST", "/any")
                            .with("Content-Type", type)
                            .body("{}"))))
                    .as(type)
                    .isEqualTo("415 unsupported-media-type");
        assertThat(told(run.send(any.with("Content-Type", JSON)))).startsWith("422 invalid-content");
        assertThat(told(run.send(any.with("Content-Type", JSON)))).isEqualTo("415 unsupported-media-type");
        assertThat(run.send(Exchanges.of("POST", "/free").body("{}")).status()).isEqualTo(200);
    }

    private static Response answer(int status, String left, String json) {
        Response answer = Response.of(status, JSON, json.getBytes(UTF_8));
        return left.isEmpty() ? answer : answer.with("X-Left", left);
    }

    @Test
    void looks_at_answers() {
        String good = "{\"id\":1,\"name\":\"a\"}";
        var run = orders(", \"response\": \"enforce\"");
        Exchanges request = post(JSON, "{\"name\":\"a\"}");

        assertThat(told(run.answering(answer(201, "5", good)).send(request))).isEqualTo("201");
        assertThat(told(run.answering(answer(404, "", "anything")).send(request)))
                .isEqualTo("404");
        assertThat(errors(run.answering(answer(201, "x", "{\"id\":1,\"name\":\"a\",\"secret\":\"s\"}"))
                        .send(request)))
                .isEqualTo("502 header /X-Left: type: expected integer"
                        + " body /secret: writeOnly: expected nothing in an answer");
        assertThat(errors(run.answering(answer(201, "", "{\"name\":\"a\"}")).send(request)))
                .isEqualTo("502 header /X-Left: expected to be there body : required: expected a member \"id\"");
        assertThat(errors(run.answering(answer(500, "", good)).send(request)))
                .isEqualTo("502 status : expected a status that the document has, got 500");
        assertThat(told(run.answering(Response.of(201, "text/html", "x".getBytes(UTF_8))
                                .with("X-Left", "1"))
                        .send(request)))
                .isEqualTo("502 response-refused");
        assertThat(told(run.answering("{}").send(Exchanges.get("/items")))).isEqualTo("200");
    }

    @Test
    void reports_of_either_side_alone() {
        String bad = "{\"x\":1}";
        var requests = orders(", \"request\": \"report\", \"response\": \"enforce\"");
        assertThat(told(requests.answering(answer(201, "5", "{}")).send(post(JSON, bad))))
                .startsWith("502 response-refused");
        assertThat(requests.reported()).containsExactly("openapi-validation:invalid-content");
        assertThat(told(requests.answering("{}").send(Exchanges.get("/other")))).isEqualTo("200");
        assertThat(requests.reported()).containsExactly("openapi-validation:not-found");

        assertThat(told(requests.answering(answer(201, "5", "{}")).send(post(JSON, "x".repeat(2 << 20)))))
                .startsWith("502 response-refused");
        assertThat(requests.reported()).containsExactly("openapi-validation:body-too-large");

        var answers = orders(", \"response\": \"report\"");
        assertThat(told(answers.answering(answer(201, "5", "x".repeat(2 << 20))).send(post(JSON, "{\"name\":\"a\"}"))))
                .isEqualTo("201");
        assertThat(answers.reported()).containsExactly("openapi-validation:response-too-large");
        assertThat(told(answers.answering(answer(201, "5", bad)).send(post(JSON, "{\"name\":\"a\"}"))))
                .isEqualTo("201");
        assertThat(answers.reported()).containsExactly("openapi-validation:response-refused");
        assertThat(told(answers.send(post(JSON, bad)))).startsWith("422 invalid-content");
        assertThat(answers.reported()).isEmpty();

        var off = orders(", \"request\": \"off\"");
        assertThat(told(off.answering("{}").send(post(JSON, bad)))).isEqualTo("200");
        assertThat(off.reported()).isEmpty();
    }

    private static final String EDITION_31 = """
            openapi: 3.1.0
            paths:
              /a:
                get:
                  parameters:
                    - {name: either, in: query, schema: {type: [integer, string], minimum: 5, pattern: '^[0-9]$'}}
                    - {name: list, in: query, schema: {anyOf: [{type: integer}, {type: array, items: {type: boolean}}]}}
                    - {name: all, in: query, schema: {type: object, additionalProperties: {type: integer}}}
                  responses: {}
                post:
                  requestBody:
                    content:
                      application/*: {schema: {$ref: '#/components/schemas/Pet'}}
                      text/*: {schema: {const: yes}}
                  responses: {}
            components:
              schemas:
                Pet:
                  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
                  discriminator: {propertyName: kind, mapping: {kitten: '#/components/schemas/Cat'}}
                Cat: {type: object, required: [lives], properties: {kind: {}, lives: {exclusiveMinimum: 0}, note: {type: [string, 'null']}}, unevaluatedProperties: false}
                Dog: {type: object, properties: {kind: {}, parents: {type: array, items: {anyOf: [{$ref: '#/components/schemas/Pet'}, {$ref: '#/components/schemas/Pet'}]}}}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            either=7              ! 200
            either=3              ! 200
            either=77             ! 200
            either=x              ! `422 query /either: pattern: expected text that the pattern of the schema matches`
            list=5                ! 200
            list=true&list=false  ! 200
            list=5&list=6         ! `422 query /list: anyOf: expected one of 2 schemas to hold`
            x=1&y=2               ! 200
            x=1&y=z               ! `422 query /all/y: type: expected integer`
            """)
    void takes_a_text_for_whatever_its_schema_may_want(String query, String expected) {
        assertThat(errors(with(EDITION_31, "").send(Exchanges.get("/a?" + query))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '!', quoteCharacter = '`', textBlock = """
            {"kind":"Cat","lives":1}                   ! 200
            {"kind":"kitten","lives":1,"note":null}    ! 200
            {"kind":"Cat","lives":0}                   ! `422 body /lives: exclusiveMinimum: expected more than 0`
            {"kind":"Cat","lives":1,"x":1}             ! `422 body /x: false: expected nothing here`
            {"kind":"Dog","lives":0}                   ! 200
            {"kind":"Cow"}                             ! `422 body : discriminator: expected a member "kind" that says which of the schemas it is`
            {"lives":1}                                ! `422 body : discriminator: expected a member "kind" that says which of the schemas it is`
            []                                         ! `422 body : oneOf: expected exactly one of 2 schemas to hold`
            """)
    void chooses_by_discriminator_and_tells_what_is_wrong_by_the_schema_chosen(String json, String expected) {
        assertThat(errors(with(EDITION_31, "")
                        .send(Exchanges.of("POST", "/a")
                                .with("Content-Type", JSON)
                                .body(json))))
                .isEqualTo(expected);
    }

    @Test
    void ends_recursive_schemas_at_their_bound() {
        String deep = "{\"kind\":\"Dog\",\"parents\":[".repeat(20) + "{}" + "]}".repeat(20);

        assertThat(told(with(EDITION_31, "")
                        .send(Exchanges.of("POST", "/a")
                                .with("Content-Type", JSON)
                                .body(deep))))
                .startsWith("400 content-too-complex");
    }

    @Test
    void finds_contents_by_the_most_exact_range() {
        var run = with(EDITION_31, "");

        assertThat(run.send(Exchanges.of("POST", "/a")
                                .with("Content-Type", "text/plain")
                                .body("yes"))
                        .status())
                .isEqualTo(200);
        assertThat(run.send(Exchanges.of("POST", "/a")
                                .with("Content-Type", "TEXT/Plain ;x=y")
                                .body("no"))
                        .status())
                .isEqualTo(422);
        assertThat(run.send(Exchanges.of("POST", "/a")
                                .with("Content-Type", "application/xml")
                                .body("<a/>"))
                        .status())
                .isEqualTo(200);
        assertThat(run.send(Exchanges.of("POST", "/a")
                                .with("Content-Type", "image/png")
                                .body("x"))
                        .status())
                .isEqualTo(415);
    }

    @Test
    void refuses_definitions_without_a_document_that_can_be_had() {
        for (String policy : new String[] {
            "{\"type\": \"openapi-validation\"}",
            "{\"type\": \"openapi-validation\", \"document\": 5}",
            "{\"type\": \"openapi-validation\", \"document\": {\"resource\": \"gone\"}}",
            "{\"type\": \"openapi-validation\", \"document\": {\"openapi\": \"3.1.0\", \"paths\": {}}, \"basePath\": \"a\"}",
            "{\"type\": \"openapi-validation\", \"document\": {\"openapi\": \"3.1.0\", \"paths\": {}}, \"basePath\": \"/{a}\"}"
        }) {
            assertThatThrownBy(() -> PolicyRun.of(policy)).as(policy).isInstanceOf(InvalidConfigException.class);
        }
    }
}

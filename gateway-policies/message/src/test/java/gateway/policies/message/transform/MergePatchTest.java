package gateway.policies.message.transform;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The examples of RFC 7396, appendix A.
final class MergePatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"a":"b"}            | {"a":"c"}              | {"a":"c"}
                    {"a":"b"}            | {"b":"c"}              | {"a":"b","b":"c"}
                    {"a":"b"}            | {"a":null}             | {}
                    {"a":"b","b":"c"}    | {"a":null}             | {"b":"c"}
                    {"a":["b"]}          | {"a":"c"}              | {"a":"c"}
                    {"a":"c"}            | {"a":["b"]}            | {"a":["b"]}
                    {"a":{"b":"c"}}      | {"a":{"b":"d","c":null}} | {"a":{"b":"d"}}
                    {"a":[{"b":"c"}]}    | {"a":[1]}              | {"a":[1]}
                    ["a","b"]            | ["c","d"]              | ["c","d"]
                    {"a":"b"}            | ["c"]                  | ["c"]
                    {"a":"foo"}          | null                   | null
                    {"a":"foo"}          | "bar"                  | "bar"
                    {"e":null}           | {"a":1}                | {"e":null,"a":1}
                    [1,2]                | {"a":"b","c":null}     | {"a":"b"}
                    {}                   | {"a":{"bb":{"ccc":null}}} | {"a":{"bb":{}}}
                    """)
    void merges_as_the_rfc_shows(String target, String patch, String result) {
        assertThat(MergePatch.apply(Json.parse(patch), Json.parse(target), new TreeRoom(1_000, _ -> {})))
                .isEqualTo(Json.parse(result));
    }
}

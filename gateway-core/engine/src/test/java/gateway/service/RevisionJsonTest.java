package gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RevisionJsonTest {
    private static final Revision REVISION = new Revision(
            7,
            Instant.parse("2026-01-02T03:04:05.678Z"),
            "token:ab12",
            "PUT apis/orders",
            List.of(
                    new DefinitionChange(
                            DocumentId.api("orders"), Optional.empty(), Optional.of("{\n  \"id\": \"orders\"}")),
                    new DefinitionChange(DocumentId.api("items"), Optional.of("{}"), Optional.empty())));

    @Test
    void reads_what_it_wrote() {
        assertThat(RevisionJson.read(ConfigNode.parse(RevisionJson.write(REVISION))))
                .isEqualTo(REVISION);
    }

    @Test
    void writes_one_line_and_leaves_out_what_is_not_there() {
        assertThat(RevisionJson.write(REVISION))
                .isEqualTo("{\"number\":7,\"at\":\"2026-01-02T03:04:05.678Z\",\"author\":\"token:ab12\","
                        + "\"note\":\"PUT apis/orders\",\"changes\":["
                        + "{\"id\":\"orders\",\"after\":\"{\\n  \\\"id\\\": \\\"orders\\\"}\"},"
                        + "{\"id\":\"items\",\"before\":\"{}\"}]}");
    }

    @Test
    void writes_the_kind_of_what_is_no_api() {
        var set = new DefinitionChange(
                new DocumentId(DocumentKind.POLICY_SETS, "gold"), Optional.empty(), Optional.of("{}"));
        var revision = new Revision(1, Instant.EPOCH, "a", "b", List.of(set));

        String text = RevisionJson.write(revision);

        assertThat(text).contains("\"changes\":[{\"kind\":\"policy-sets\",\"id\":\"gold\",\"after\":\"{}\"}]");
        assertThat(RevisionJson.read(ConfigNode.parse(text))).isEqualTo(revision);
        assertThatThrownBy(() -> RevisionJson.read(ConfigNode.parse(text.replace("policy-sets", "wishes"))))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/changes/0/kind");
    }

    @Test
    void refuses_what_it_did_not_write() {
        var node = ConfigNode.parse(RevisionJson.write(REVISION).replace("\"number\":7", "\"number\":0"));

        assertThatThrownBy(() -> RevisionJson.read(node))
                .isInstanceOf(InvalidConfigException.class)
                .hasMessageContaining("/number");
    }
}

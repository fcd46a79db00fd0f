package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import gateway.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What is done to a message.
sealed interface SecurityStep
        permits UserNameStep,
                TimestampStep,
                SoapVerifyStep,
                SoapDecryptStep,
                AddedUserName,
                AddedTimestamp,
                SoapSignStep,
                SoapEncryptStep,
                HeaderRemoval {
    /// Its name in definitions.
    String name();

    SecurityAction compile(SecurityPlace place);

    /// Whether it only refuses, and names nobody as the caller.
    default boolean onlyChecks() {
        return false;
    }

    /// Whether it only adds to messages and refuses none, so that one without content may go without it.
    default boolean onlyAdds() {
        return false;
    }

    /// Reads one of a list: an object with one member, by which it is called.
    ///
    /// @param answers whether it is for answers
    static Optional<SecurityStep> read(ConfigNode node, boolean answers) {
        if (!node.requireObject()) return Optional.empty();
        var all = new ArrayList<Possible>();
        if (!answers) {
            ConfigNode user = node.field("username-token", "a user of these, by name and password, or else refused");
            all.add(new Possible(user, "SecurityUserName", UserNameStep::read));
        }
        ConfigNode timestamp = node.field("timestamp", "made not long ago and not yet ended, or else refused");
        all.add(new Possible(timestamp, "SecurityTimestamp", TimestampStep::read));
        ConfigNode verify = node.field("verify", "signed by somebody who is known, or else refused");
        all.add(new Possible(verify, "SecurityVerify", each -> SoapVerifyStep.read(each, answers)));
        ConfigNode decrypt = node.field("decrypt", "opened with a key of ours, or else refused");
        all.add(new Possible(decrypt, "SecurityDecrypt", SoapDecryptStep::read));
        ConfigNode addUser = node.field("add-username-token", "with a name and password of ours");
        all.add(new Possible(addUser, "SecurityAddUserName", AddedUserName::read));
        ConfigNode addTimestamp = node.field("add-timestamp", "with the time and an end");
        all.add(new Possible(addTimestamp, "SecurityAddTimestamp", AddedTimestamp::read));
        ConfigNode sign = node.field("sign", "signed with a key of ours");
        all.add(new Possible(sign, "SecuritySign", SoapSignStep::read));
        ConfigNode encrypt = node.field("encrypt", "encrypted for somebody");
        all.add(new Possible(encrypt, "SecurityEncrypt", SoapEncryptStep::read));
        for (Possible each : all) each.field().named(each.shape(), each::describe);
        ConfigNode remove = node.field("remove", "take the `Security` header out");
        boolean removes = remove.bool(false);
        long given = all.stream().filter(each -> each.field().isPresent()).count() + (removes ? 1 : 0);
        describe(
                node,
                all.stream()
                        .map(each -> each.field().pointer())
                        .map(pointer -> pointer.substring(pointer.lastIndexOf('/') + 1))
                        .toList());
        if (given != 1) node.problem("expected one step, such as verify or sign, got " + given);
        node.refuseUnknownFields();
        if (removes) return Optional.of(new HeaderRemoval());
        return all.stream()
                .filter(each -> each.field().isPresent())
                .findFirst()
                .map(each -> each.reader().apply(each.field()));
    }

    /// One of the fields is there, or `remove` is true.
    private static void describe(ConfigNode node, List<String> fields) {
        String each = fields.stream().map(JsonSchema::given).collect(Collectors.joining(", "));
        node.obeys("""
                {"if": {"required": ["remove"], "properties": {"remove": {"const": true}}},
                 "then": {"not": {"anyOf": [EACH]}}, "else": {"oneOf": [EACH]}}""".replace("EACH", each));
    }

    /// A step that may stand there.
    ///
    /// @param shape its name in descriptions
    record Possible(ConfigNode field, String shape, Function<ConfigNode, SecurityStep> reader) {
        /// Reads it for its fields alone.
        void describe(ConfigNode node) {
            SecurityStep _ = reader.apply(node);
        }
    }
}

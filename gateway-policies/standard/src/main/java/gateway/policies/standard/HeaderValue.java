package gateway.policies.standard;

import gateway.config.SecretReader;
import gateway.json.ConfigNode;
import gateway.json.InvalidConfigException;
import gateway.policy.Services;
import gateway.policy.Template;
import gateway.policy.TemplatePlace;
import gateway.service.SecretReference;

/// The value of a header as a definition has it.
sealed interface HeaderValue {
    /// Text with placeholders.
    record Text(Template template) implements HeaderValue {}

    /// The whole value is a secret.
    record Hidden(SecretReference secret) implements HeaderValue {}

    static HeaderValue read(ConfigNode node) {
        boolean isReference = node.json().filter(json -> json.isObject()).isPresent();
        return isReference ? new Hidden(SecretReader.read(node)) : new Text(Template.read(node, TemplatePlace.HEADER));
    }

    /// With its secret, for a policy that is being compiled.
    static WritableHeader<Template> ready(WritableHeader<HeaderValue> header, Services services) {
        return new WritableHeader<>(header.name(), template(header, services));
    }

    private static Template template(WritableHeader<HeaderValue> header, Services services) {
        return switch (header.value()) {
            case Text(var template) -> template;
            case Hidden(var reference) ->
                Template.hidden(services.secret(reference), TemplatePlace.HEADER)
                        .orElseThrow(() -> new InvalidConfigException(
                                "",
                                reference + ": holds characters that may not stand in the header " + header.name()));
        };
    }
}

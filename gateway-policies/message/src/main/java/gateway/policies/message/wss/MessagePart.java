package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import gateway.policies.message.xml.XmlTrees;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/// A part of a SOAP message that is signed or encrypted.
sealed interface MessagePart {
    Pattern BLOCK_FORM = Pattern.compile("\\{([^{}\\s]{1,1024})}([\\p{L}_][\\p{L}\\p{N}._-]{0,255})");
    Pattern FORM = Pattern.compile("body|timestamp|username-token|\\{[^{}\\s]{1,1024}\\}"
            + "[^\\x00-@\\[-^`{-\\x7f][^\\x00-,/:-@\\[-^`{-\\x7f]{0,255}");

    record Body() implements MessagePart {}

    /// `timestamp` or `username-token`.
    record OfSecurity(SecurityName name) implements MessagePart {}

    /// A block of the header.
    record Block(String namespace, String local) implements MessagePart {}

    /// Where it stands in `message`; empty when it is not there.
    ///
    /// @throws BadSecurityException when it is there twice
    default Optional<Element> in(SoapMessage message) {
        return switch (this) {
            case Body _ -> Optional.of(message.body());
            case OfSecurity(SecurityName name) -> message.security().flatMap(name::in);
            case Block(String namespace, String local) -> {
                List<Element> found = message.headers().stream()
                        .filter(each -> XmlTrees.is(each, namespace, local))
                        .toList();
                if (found.size() > 1) throw new BadSecurityException(SecurityFlaw.STRUCTURE);
                yield found.stream().findFirst();
            }
        };
    }

    /// @param usual where the definition does not say
    static Set<MessagePart> read(ConfigNode field, List<String> usual) {
        if (!field.unlessGiven("`" + String.join("`, `", usual) + '`').isPresent()) {
            return Set.copyOf(usual.stream().flatMap(each -> of(each).stream()).toList());
        }
        Set<MessagePart> found = new HashSet<>();
        List<String> words = field.list(node -> node.form("`body`, `timestamp`, `username-token` or `{namespace}name`")
                .like(FORM)
                .requiredText());
        for (String each : words) {
            Optional<MessagePart> part = of(each);
            if (part.isEmpty()) field.expected("body, timestamp, username-token or {namespace}name");
            part.ifPresent(found::add);
        }
        field.extent(1, 16);
        if (words.isEmpty() || words.size() > 16) field.problem("expected 1 to 16 parts, got " + words.size());
        return found;
    }

    private static Optional<MessagePart> of(String word) {
        return switch (word) {
            case "body" -> Optional.of(new Body());
            case "timestamp" -> Optional.of(new OfSecurity(SecurityName.TIMESTAMP));
            case "username-token" -> Optional.of(new OfSecurity(SecurityName.USERNAME_TOKEN));
            default -> {
                Matcher block = BLOCK_FORM.matcher(word);
                yield block.matches() ? Optional.of(new Block(block.group(1), block.group(2))) : Optional.empty();
            }
        };
    }
}

package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.w3c.dom.Element;

/// Says when a message was made and when it ends, in place of what said so before.
record AddedTimestamp(Duration lifetime) implements SecurityStep {
    static AddedTimestamp read(ConfigNode node) {
        node.expectObject();
        var step = new AddedTimestamp(node.field("lifetime", "until it ends")
                .duration(Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofMinutes(5)));
        node.refuseUnknownFields();
        return step;
    }

    @Override
    public String name() {
        return "add-timestamp";
    }

    @Override
    public boolean onlyAdds() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        return (message, _) -> {
            Element security = message.securityToWrite(place.mustUnderstand());
            SecurityName.TIMESTAMP.in(security).ifPresent(security::removeChild);
            Instant now = place.services().clock().instant().truncatedTo(ChronoUnit.MILLIS);
            Element timestamp = SecurityName.TIMESTAMP.madeFor(security);
            security.insertBefore(timestamp, security.getFirstChild());
            SecurityName.CREATED.addedTo(timestamp).setTextContent(now.toString());
            SecurityName.wsu("Expires")
                    .addedTo(timestamp)
                    .setTextContent(now.plus(lifetime).toString());
        };
    }
}

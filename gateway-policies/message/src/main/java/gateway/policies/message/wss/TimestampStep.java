package gateway.policies.message.wss;

import gateway.json.ConfigNode;
import java.time.Duration;

/// Lets only pass what says that it was made not long ago, and has not ended.
record TimestampStep(Duration maxAge, Duration clockSkew) implements SecurityStep {
    static TimestampStep read(ConfigNode node) {
        node.expectObject();
        var step = new TimestampStep(maxAge(node), clockSkew(node));
        node.refuseUnknownFields();
        return step;
    }

    static Duration maxAge(ConfigNode node) {
        return node.field("maxAge", "since it was made")
                .duration(Duration.ofSeconds(1), Duration.ofDays(1), Duration.ofMinutes(5));
    }

    static Duration clockSkew(ConfigNode node) {
        return node.field("clockSkew", "by how much clocks may differ")
                .duration(Duration.ZERO, Duration.ofMinutes(5), Duration.ofSeconds(30));
    }

    @Override
    public String name() {
        return "timestamp";
    }

    @Override
    public boolean onlyChecks() {
        return true;
    }

    @Override
    public SecurityAction compile(SecurityPlace place) {
        var times = new MessageTimes(maxAge, clockSkew);
        return (message, _) -> times.check(
                SecurityName.TIMESTAMP.onlyIn(message.requiredSecurity(), SecurityFlaw.MISSING),
                place.services().clock().instant());
    }
}

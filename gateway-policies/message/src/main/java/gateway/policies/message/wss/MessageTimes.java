package gateway.policies.message.wss;

import gateway.policies.message.xml.XmlTrees;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.w3c.dom.Element;

/// When a message or a token may have been made.
record MessageTimes(Duration maxAge, Duration clockSkew) {
    private static final Instant EARLIEST = Instant.parse("1970-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");
    private static final int LONGEST = 40;

    /// @param timestamp with its beginning, and its end if it has one (SOAP Message Security 1.1 §10)
    /// @throws BadSecurityException when it is not good now
    void check(Element timestamp, Instant now) {
        Instant created = time(SecurityName.CREATED.onlyIn(timestamp, SecurityFlaw.TIMES));
        Optional<Instant> expires = SecurityName.wsu("Expires").in(timestamp).map(MessageTimes::time);
        if (XmlTrees.children(timestamp).size() != (expires.isPresent() ? 2 : 1)) {
            throw new BadSecurityException(SecurityFlaw.TIMES);
        }
        check(created, now);
        if (expires.isEmpty()) return;
        if (!expires.get().isAfter(created)) throw new BadSecurityException(SecurityFlaw.TIMES);
        if (!expires.get().plus(clockSkew).isAfter(now)) throw new BadSecurityException(SecurityFlaw.EXPIRED);
    }

    /// @throws BadSecurityException when that is too long ago, or still to come
    void check(Instant created, Instant now) {
        if (created.minus(clockSkew).isAfter(now)) throw new BadSecurityException(SecurityFlaw.NOT_YET_VALID);
        if (!end(created).isAfter(now)) throw new BadSecurityException(SecurityFlaw.EXPIRED);
    }

    /// Until when it is good.
    Instant end(Instant created) {
        return created.plus(maxAge).plus(clockSkew);
    }

    /// @throws BadSecurityException when it holds none, or one without a time zone
    static Instant time(Element element) {
        String text = SecurityName.text(element);
        try {
            Instant time = text.length() > LONGEST
                    ? Instant.MAX
                    : OffsetDateTime.parse(text).toInstant();
            if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) return time;
        } catch (DateTimeException e) {
            // told below, as any other text that is no time
        }
        throw new BadSecurityException(SecurityFlaw.TIMES);
    }
}

package gateway.service;

import java.time.Instant;
import java.util.List;

/// Who is kept out by one policy, for operators to look at and to let in again. One of [KeptParts].
public interface Bans {
    /// The policy, as its counters are named: `orders/ban`.
    String policy();

    /// Those that hold now.
    List<Ban> standing();

    /// Lets `subject` in again, here at once and on other nodes within a second or two.
    ///
    /// @return whether it was kept out
    boolean lift(String subject);

    /// One that is kept out.
    ///
    /// @param subject such as `ip:192.0.2.7`; never a credential
    /// @param until when it ends
    /// @param times how often it was kept out in a row, this time included
    record Ban(String subject, Instant since, Instant until, int times) {}
}

package gateway.app.redis;

import gateway.key.Pepper;
import gateway.key.SecretDigest;
import gateway.service.DependencyException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The pepper that all nodes hash with, and go on hashing with when Redis has lost it.
///
/// Beside the keys stands a check, a hash made with their pepper. [#settle] puts both back when they are gone.
/// When another node's are there, this one takes them over, unless a setting fixes its own: then no secret can
/// be looked up until they agree again.
final class SharedPepper {
    private static final Logger LOG = LoggerFactory.getLogger(SharedPepper.class);
    private static final String CHECKED = "which pepper is this?";

    private final KeyScripts scripts;
    private final boolean fixed;
    private volatile Checked current;
    private volatile boolean foreign;

    private SharedPepper(KeyScripts scripts, boolean fixed, Checked current) {
        this.scripts = scripts;
        this.fixed = fixed;
        this.current = current;
    }

    /// @param setting the pepper of all nodes; empty: the one in Redis, made now when there is none
    /// @throws IllegalArgumentException when the keys in Redis were made with another pepper
    static SharedPepper open(KeyScripts scripts, Optional<Pepper> setting) {
        var own = Checked.of(setting.orElseGet(() -> Pepper.random(new SecureRandom())));
        var shared = new SharedPepper(scripts, setting.isPresent(), own);
        var kept = shared.keep(own);
        var agreed = shared.agreement(own, kept);
        if (agreed.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected the pepper that the keys in Redis were made with, got another; set the one of the other nodes");
        }
        shared.current = agreed.get();
        return shared;
    }

    /// A pepper and the hash that tells which one it is.
    record Checked(Pepper pepper, String check) {
        static Checked of(Pepper pepper) {
            return new Checked(pepper, pepper.digest(CHECKED).hex());
        }

        SecretDigest digest(String secret) {
            return pepper.digest(secret);
        }

        private String hex() {
            return HexFormat.of().formatHex(pepper.reveal());
        }
    }

    /// What Redis keeps, `""` for nothing.
    ///
    /// @param missing whether some of it was put there just now
    record Kept(String check, String pepper, boolean missing) {}

    /// The one this node hashes with.
    Checked current() {
        return current;
    }

    /// The one for secrets about to be stored, after [#settle].
    ///
    /// @throws DependencyException when those in Redis are made with another
    Checked agreed() {
        if (foreign) throw disagreement();
        return current;
    }

    /// Compares with what Redis keeps, puts it there when it is gone, and takes over another node's.
    ///
    /// @return whether the keys are others than those before
    /// @throws DependencyException when Redis does not answer
    boolean settle() {
        var own = current;
        var kept = keep(own);
        var agreed = agreement(own, kept);
        if (agreed.isEmpty()) {
            if (!foreign) LOG.error("{}", disagreement().getMessage());
            foreign = true;
            return false;
        }
        if (foreign) LOG.info("the keys in Redis are made with this node's pepper again");
        foreign = false;
        if (kept.missing()) LOG.error("Redis had lost the pepper and with it keys; this node's is kept there again");
        if (agreed.get().equals(own)) return kept.missing();
        LOG.error("Redis has lost keys: the pepper there is another than before, and is taken over");
        current = agreed.get();
        return true;
    }

    static DependencyException disagreement() {
        return new DependencyException(
                RedisLink.DEPENDENCY,
                "the keys are made with another pepper than this node's, so no secret can be looked up; set the same one on all nodes");
    }

    private Kept keep(Checked own) {
        return scripts.pepper(fixed ? "" : own.hex(), own.check());
    }

    /// Empty when this node cannot look up the secrets that `kept` belongs to.
    private Optional<Checked> agreement(Checked own, Kept kept) {
        if (kept.check().equals(own.check())) return Optional.of(own);
        if (fixed || kept.pepper().isEmpty()) return Optional.empty();
        var other = Checked.of(Pepper.of(HexFormat.of().parseHex(kept.pepper())));
        boolean theirs = kept.check().isEmpty() || kept.check().equals(other.check());
        return theirs ? Optional.of(other) : Optional.empty();
    }
}

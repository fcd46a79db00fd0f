package gateway.app.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gateway.key.ApiKey;
import gateway.service.AuditEntry;
import gateway.service.Charge;
import gateway.service.Counting;
import gateway.service.DefinitionChange;
import gateway.service.DependencyException;
import gateway.service.DocumentId;
import gateway.service.DocumentKind;
import gateway.service.Permit;
import gateway.service.Revision;
import gateway.service.Rule.TokenBucket;
import gateway.service.ShortTermName;
import gateway.service.ShortTermUse;
import gateway.service.ShortTermValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Redis with TLS and a user who may do no more than `docs/stores.md` says.
final class RedisSecurityTest {
    private static final String RIGHTS = "~gw:* ~{gw:* resetchannels &{gw:* +eval +evalsha +ping +info +subscribe"
            + " +get +set +incr +time +hget +hset +hdel +hexists +hgetall +publish +xadd +xrevrange"
            + " +zadd +zrem +zremrangebyrank +zrangebylex +zrangebyscore +zremrangebyscore +zcard +pexpire"
            + " +pubsub|numsub +exists +rename +del";

    @TempDir
    private Path folder;

    private RedisProcess redis;

    @BeforeEach
    void start() throws Exception {
        certificate("cert.pem", "key.pem");
        Path acl = folder.resolve("users.acl");
        Files.writeString(acl, "user default off\nuser gateway on >open-sesame " + RIGHTS + "\n");
        redis = RedisProcess.secured(folder, acl);
    }

    @AfterEach
    void stop() {
        if (redis != null) redis.close();
    }

    @Test
    void all_stores_work_over_tls_for_a_user_with_the_documented_rights() {
        try (var stores = RedisStores.open(settings("gateway:open-sesame", "cert.pem"), InstantSource.system())) {
            var key = new ApiKey(
                    "key_a",
                    "alice",
                    true,
                    Optional.empty(),
                    Map.of(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Map.of());
            var issued = stores.keys().issue(key);
            assertThat(stores.keys().authenticate(issued.secret().reveal())).contains(key);
            assertThat(stores.keys().list("", "", 10).keys()).hasSize(1);
            stores.keys().rotate("key_a");
            stores.keys().delete("key_a", Optional.empty());
            var charge = new Charge("rate:a", "key_a", new TokenBucket(10, 1_000_000_000, 10), Counting.EXACT, false);
            assertThat(stores.limits().acquire(List.of(charge)).getFirst()).isInstanceOf(Permit.Granted.class);
            var change = new DefinitionChange(DocumentId.api("orders"), Optional.empty(), Optional.of("{}"));
            stores.definitions().commit(new Revision(1, Instant.EPOCH, "a", "b", List.of(change)));
            assertThat(stores.definitions().load().revision()).isEqualTo(1);
            assertThat(stores.definitions().revision(1)).isPresent();
            var gold = new DocumentId(DocumentKind.POLICY_SETS, "gold");
            var set = new DefinitionChange(gold, Optional.empty(), Optional.of("{}"));
            stores.definitions().commit(new Revision(2, Instant.EPOCH, "a", "b", List.of(set)));
            assertThat(stores.definitions().load().text(gold)).contains("{}");
            stores.audit().append(new AuditEntry(Instant.EPOCH, "ab12", "PUT apis/orders", 0, 1));
            assertThat(stores.audit().latest(0, 10)).hasSize(1);
            var name = ShortTermName.of(ShortTermUse.SESSION, "orders/oidc", "id");
            stores.shortTerm().put(name, new ShortTermValue("{}", Duration.ofMinutes(1)));
            assertThat(stores.shortTerm().remove(name)).isTrue();
            assertThat(stores.slots().take("orders/concurrency-limit", "key_a", 1))
                    .isPresent();
        }
    }

    @Test
    void a_certificate_that_nobody_vouches_for_is_refused() throws Exception {
        certificate("other.pem", "other-key.pem");

        assertThatThrownBy(() -> RedisStores.open(settings("gateway:open-sesame", "other.pem"), InstantSource.system()))
                .isInstanceOf(DependencyException.class);
    }

    @Test
    void a_wrong_password_is_refused_and_not_told() {
        assertThatThrownBy(() -> RedisStores.open(settings("gateway:guess-work", "cert.pem"), InstantSource.system()))
                .isInstanceOf(DependencyException.class)
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("guess-work");
    }

    private RedisSettings settings(String user, String authority) {
        return RedisSettings.of("rediss://" + user + "@127.0.0.1:" + redis.port())
                .withCertificates(folder.resolve(authority))
                .withDeadline(Duration.ofSeconds(2));
    }

    private void certificate(String certificate, String key) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl to make certificates with");
        var made = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=127.0.0.1",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key,
                        "-out",
                        certificate)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        assertThat(made.waitFor()).isZero();
    }
}

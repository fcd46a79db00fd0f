package gateway.app.identity;

import static org.assertj.core.api.Assertions.assertThat;

import gateway.json.Json;
import gateway.wire.tls.TestAuthority;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `ldap-auth` in front of OpenLDAP's own server, where only the gateway's account may read.
@Timeout(120)
final class ForeignLdapTest {
    private static final String ENTRIES = """
            dn: dc=example,dc=com
            objectClass: domain
            dc: example

            dn: cn=gateway,dc=example,dc=com
            objectClass: organizationalRole
            objectClass: simpleSecurityObject
            cn: gateway
            userPassword: service

            dn: ou=people,dc=example,dc=com
            objectClass: organizationalUnit
            ou: people

            dn: uid=alice,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: alice
            cn: Alice
            sn: A
            userPassword: right
            memberOf: cn=gold,dc=example,dc=com

            dn: uid=bob*(b),ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: bob*(b)
            cn: Bob
            sn: B
            userPassword: right

            dn: cn=gold,dc=example,dc=com
            objectClass: groupOfNames
            cn: gold
            member: uid=alice,ou=people,dc=example,dc=com

            dn: cn=policy,dc=example,dc=com
            objectClass: organizationalRole
            objectClass: pwdPolicy
            cn: policy
            pwdAttribute: userPassword
            pwdLockout: TRUE
            pwdMaxAge: 86400
            pwdMustChange: TRUE

            dn: uid=reset,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: reset
            cn: Reset
            sn: R
            userPassword: right
            pwdReset: TRUE

            dn: uid=locked,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: locked
            cn: Locked
            sn: L
            userPassword: right
            pwdAccountLockedTime: 000001010000Z

            dn: uid=old,ou=people,dc=example,dc=com
            objectClass: inetOrgPerson
            uid: old
            cn: Old
            sn: O
            userPassword: right
            pwdChangedTime: 20200101000000Z
            """;
    private static final String BOUND = ", \"bind\": {\"dn\": \"cn=gateway,dc=example,dc=com\", \"password\":"
            + " {\"file\": \"ldap\"}}, \"users\": {\"base\": \"ou=people,dc=example,dc=com\", \"filter\": \"%s\"}";
    private static final String SEARCH = BOUND.formatted("(&(objectClass=person)(uid={user}))");
    private static final String GROUPS = ", \"groups\": {\"base\": \"dc=example,dc=com\", \"require\": [\"gold\"]}";
    private static final String DIRECT = ", \"users\": {\"dn\": \"uid={user},ou=people,dc=example,dc=com\"}";

    @TempDir
    private Path folder;

    private final TestAuthority authority = new TestAuthority();
    private OpenLdap server;
    private int gateways;

    @BeforeEach
    void start() throws IOException {
        Path secret = Files.createDirectory(folder.resolve("secrets")).resolve("ldap");
        Files.writeString(secret, "service");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        server = OpenLdap.start(Files.createDirectory(folder.resolve("slapd")), authority, ENTRIES);
    }

    @AfterEach
    void stop() {
        if (server != null) server.close();
    }

    private GuardedGateway gateway(String url, String more) {
        return GuardedGateway.start(
                folder.resolve("data-" + gateways++),
                "{\"type\": \"ldap-auth\", \"servers\": [\"" + url + "\"], \"timeout\": \"5s\"" + more + '}',
                Map.of("GATEWAY_SECRETS", folder.resolve("secrets").toString()));
    }

    @Test
    void takes_whom_the_directory_takes_by_search_by_template_and_by_groups() throws Exception {
        try (GuardedGateway gateway = gateway(server.url(), SEARCH)) {
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);
            assertThat(status(gateway, "bob*(b)", "right")).isEqualTo(200);
            assertThat(status(gateway, "alice", "wrong")).isEqualTo(401);
            assertThat(status(gateway, "alice", "")).isEqualTo(401);
            assertThat(status(gateway, "a*", "right")).isEqualTo(401);
            assertThat(status(gateway, "*)(uid=*", "right")).isEqualTo(401);
            assertThat(status(gateway, "nobody", "right")).isEqualTo(401);
            assertThat(gateway.arrived()).hasSize(2).noneMatch(each -> each.contains("Basic"));
        }
        try (GuardedGateway gateway = gateway(server.url(), SEARCH + GROUPS)) {
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);
            assertThat(status(gateway, "bob*(b)", "right")).isEqualTo(401);
        }
        String member = BOUND.formatted("(&(uid={user})(memberOf=cn=gold,dc=example,dc=com))");
        try (GuardedGateway gateway = gateway(server.url(), member)) {
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);
            assertThat(status(gateway, "bob*(b)", "right")).isEqualTo(401);
        }
        try (GuardedGateway gateway = gateway(server.url(), DIRECT)) {
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);
            assertThat(status(gateway, "bob*(b)", "right")).isEqualTo(200);
            assertThat(status(gateway, "alice,ou=people", "right")).isEqualTo(401);
        }
    }

    @Test
    void a_name_in_another_writing_is_that_of_the_same_caller_and_spends_the_same_limit() throws Exception {
        for (String users : List.of(SEARCH, DIRECT)) {
            String twice = users + "}, {\"type\": \"rate-limit\", \"requests\": 2, \"per\": \"1h\"";
            try (GuardedGateway gateway = gateway(server.url(), twice)) {
                assertThat(status(gateway, "alice", "right")).isEqualTo(200);
                assertThat(status(gateway, "aLICE", "right")).isEqualTo(200);

                for (String name : List.of("alice", "Alice", "ALICE", " alice", "alice ", "\uff41lice")) {
                    assertThat(status(gateway, name, "right")).as(name).isIn(401, 429);
                }
            }
        }
    }

    @Test
    void who_is_locked_out_or_has_to_choose_another_password_is_refused_as_one_with_a_wrong_one() throws Exception {
        for (String users : List.of(SEARCH, DIRECT)) {
            try (GuardedGateway gateway = gateway(server.url(), users)) {
                for (String user : List.of("reset", "locked", "old")) {
                    assertThat(status(gateway, user, "right")).as(user).isEqualTo(401);
                }
                assertThat(status(gateway, "alice", "right")).isEqualTo(200);
                assertThat(gateway.arrived()).hasSize(1);
            }
        }
    }

    @Test
    void speaks_tls_with_a_server_of_its_authority_and_with_no_other() throws Exception {
        for (String url : List.of(server.secureUrl(), server.startTlsUrl())) {
            String start = ", \"startTls\": " + url.equals(server.startTlsUrl());
            try (GuardedGateway gateway = gateway(url, SEARCH + start + trusting(authority))) {
                assertThat(status(gateway, "alice", "right")).isEqualTo(200);
                assertThat(status(gateway, "alice", "wrong")).isEqualTo(401);
            }
            try (GuardedGateway gateway = gateway(url, SEARCH + start + trusting(new TestAuthority("Other")))) {
                assertThat(status(gateway, "alice", "right")).isEqualTo(503);
            }
        }
    }

    private String trusting(TestAuthority trusted) throws IOException {
        String pem = Files.readString(trusted.write(folder.resolve("trusted.pem")));
        return ", \"ca\": "
                + Json.compact(Json.mapper().createArrayNode().add(pem).get(0));
    }

    @Test
    void outages_are_told_from_wrong_passwords_and_end_with_the_server_s_return() throws Exception {
        String impatient = SEARCH.replaceFirst("^", ", \"cacheFor\": \"0s\"");
        try (GuardedGateway gateway = gateway(server.url(), impatient)) {
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);

            server.kill();
            assertThat(status(gateway, "alice", "right")).isEqualTo(503);
            assertThat(status(gateway, "alice", "wrong")).isEqualTo(503);
            server.restart();
            Recovery.withinASecond(() -> status(gateway, "alice", "right") == 200);
            assertThat(status(gateway, "alice", "wrong")).isEqualTo(401);

            server.freeze(true);
            assertThat(status(gateway, "alice", "right")).isEqualTo(503);
            server.freeze(false);
            Recovery.withinASecond(() -> status(gateway, "alice", "right") == 200);
            assertThat(status(gateway, "alice", "wrong")).isEqualTo(401);
        }
    }

    @Test
    void a_password_that_is_remembered_is_good_without_the_directory_until_its_time_is_over() throws Exception {
        try (GuardedGateway gateway = gateway(server.url(), SEARCH + GROUPS + ", \"cacheFor\": \"2s\"")) {
            long before = System.nanoTime();
            assertThat(status(gateway, "alice", "right")).isEqualTo(200);
            long after = System.nanoTime();
            server.kill();

            long begun = System.nanoTime();
            int answer = status(gateway, "alice", "right");
            assertThat(answer).isEqualTo(200);
            assertThat(status(gateway, "alice", "wrong")).isEqualTo(503);
            assertThat(status(gateway, "bob*(b)", "right")).isEqualTo(503);
            long last = begun;
            while (answer == 200) {
                last = begun;
                begun = System.nanoTime();
                answer = status(gateway, "alice", "right");
            }

            assertThat(answer).isEqualTo(503);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(1_900));
            assertThat(Duration.ofNanos(last - after)).isLessThan(Duration.ofMillis(2_100));
            server.restart();
            Recovery.withinASecond(() -> status(gateway, "alice", "right") == 200);
        }
    }

    private static int status(GuardedGateway gateway, String user, String password) {
        byte[] credentials = (user + ':' + password).getBytes(StandardCharsets.UTF_8);
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/"))
                .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

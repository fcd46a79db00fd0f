package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import gateway.http.Consumer;
import gateway.http.Exchange;
import gateway.http.Exchanges;
import gateway.http.Response;
import gateway.json.ConfigNode;
import gateway.json.ConfigProblem;
import gateway.policy.AuthenticationPolicy;
import gateway.policy.FakeServices;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.Verdict;
import gateway.service.DependencyException;
import gateway.service.SecretReference.Origin;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

@Timeout(60)
final class LdapAuthTest {
    private static final String SEARCH = ", 'bind': {'dn': 'cn=gateway', 'password': {'secret': 'ldap'}},"
            + " 'users': {'base': 'ou=people,dc=example', 'filter': '(uid={user})'}";
    private static final String DIRECT = ", 'users': {'dn': 'uid={user},ou=people,dc=example'}";

    private final FakeServices services = new FakeServices();
    private InMemoryDirectoryServer server;

    @BeforeEach
    void start() throws Exception {
        services.secrets().put(Origin.SECRET, "ldap", "service");
        start(Integer.MAX_VALUE);
    }

    /// @param most entries that it tells in one answer
    private void start(int most) throws Exception {
        var config = new InMemoryDirectoryServerConfig("dc=example");
        config.setSchema(null);
        config.setMaxSizeLimit(most);
        config.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig("plain", 0));
        config.addAdditionalBindCredentials("cn=gateway", "service");
        server = new InMemoryDirectoryServer(config);
        server.add("dn: dc=example", "objectClass: domain", "dc: example");
        server.add("dn: ou=people,dc=example", "objectClass: organizationalUnit", "ou: people");
        server.add("dn: ou=admins,ou=people,dc=example", "objectClass: organizationalUnit", "ou: admins");
        user("uid=alice,ou=people,dc=example", "alice");
        user("uid=root,ou=admins,ou=people,dc=example", "root");
        user("uid=o\\,x*(y),ou=people,dc=example", "o,x*(y)");
        server.add(
                "dn: cn=gold,dc=example",
                "objectClass: groupOfNames",
                "cn: gold",
                "member: uid=alice,ou=people,dc=example");
        server.startListening();
    }

    private void user(String dn, String uid) throws Exception {
        server.add("dn: " + dn, "objectClass: account", "uid: " + uid, "userPassword: right");
    }

    @AfterEach
    void stop() {
        server.shutDown(true);
    }

    @Test
    void lets_in_whom_the_directory_takes_by_search_and_by_template() {
        for (String users : List.of(SEARCH, DIRECT)) {
            Policy policy = policy(users);
            for (String user : List.of("alice", "o,x*(y)")) {
                Exchange exchange = basic(user, "right");
                assertThat(status(policy, exchange)).as(user + users).isEmpty();
                assertThat(exchange.consumer().orElseThrow().name()).isEqualTo(user);
                assertThat(exchange.outgoing().headers().contains("Authorization"))
                        .isFalse();
                assertThat(status(policy, basic(user, "wrong"))).contains(401);
            }
            assertThat(status(policy, basic("nobody", "right"))).contains(401);
            assertThat(status(policy, Exchanges.get("/").make())).contains(401);
        }
    }

    @Test
    void refuses_names_that_would_change_the_question_and_passwords_that_say_nothing() {
        for (String users : List.of(SEARCH, DIRECT)) {
            Policy policy = policy(users);
            for (String user : List.of(
                    "*",
                    "a*",
                    "*)(uid=*",
                    "alice)(uid=*",
                    "root,ou=admins",
                    "alice\0",
                    "x".repeat(300),
                    "{user}",
                    "",
                    "alice+uid=x",
                    "\\61lice",
                    "#04",
                    " alice")) {
                Optional<Integer> answer = status(policy, basic(user, "right"));
                // A directory may ignore a blank before a name; it is the same user then.
                if (!user.equals(" alice")) assertThat(answer).as(user + users).contains(401);
            }
            assertThat(status(policy, basic("alice", ""))).contains(401);
        }
    }

    @Test
    void tells_the_groups_and_asks_for_one() {
        String groups = ", 'groups': {'base': 'dc=example', 'filter': '(member={dn})', 'require': ['gold']}";
        Policy policy = policy(SEARCH + groups);
        Exchange exchange = basic("alice", "right");

        assertThat(status(policy, exchange)).isEmpty();
        assertThat(exchange.consumer().orElseThrow().tags()).containsExactly("gold");
        assertThat(status(policy, basic("root", "right"))).contains(401);
    }

    @Test
    void a_name_that_two_users_have_is_nobody_s_however_few_entries_the_server_tells() throws Exception {
        for (int most : List.of(Integer.MAX_VALUE, 2, 1)) {
            server.shutDown(true);
            start(most);
            user("uid=alice,ou=admins,ou=people,dc=example", "alice");
            Policy policy = policy(SEARCH + ", 'cacheFor': '0s'");

            assertThat(status(policy, basic("root", "right"))).as("%s", most).isEmpty();
            assertThat(status(policy, basic("alice", "right"))).as("%s", most).contains(401);
        }
    }

    @Test
    void remembers_for_a_while_and_no_longer_and_never_under_another_password() throws Exception {
        Policy policy = policy(SEARCH + ", 'cacheFor': '1m'");
        assertThat(status(policy, basic("alice", "right"))).isEmpty();
        server.shutDown(true);
        assertThat(status(policy, basic("alice", "right"))).isEmpty();
        assertThatThrownBy(() -> policy.apply(basic("alice", "other"))).isInstanceOf(DependencyException.class);
        services.clock().advance(Duration.ofSeconds(61));
        assertThatThrownBy(() -> policy.apply(basic("alice", "right"))).isInstanceOf(DependencyException.class);
    }

    @Test
    void who_is_remembered_has_the_same_name_groups_and_claims_as_who_was_asked_about() throws Exception {
        Policy policy = policy(SEARCH + ", 'groups': {'base': 'dc=example'}, 'cacheFor': '1m'");
        for (boolean asked : List.of(true, false)) {
            if (!asked) server.shutDown(true);
            Exchange exchange = basic("alice", "right");

            assertThat(status(policy, exchange)).isEmpty();

            Consumer caller = exchange.consumer().orElseThrow();
            assertThat(caller.id()).isEqualTo("ldap:uid=alice,ou=people,dc=example");
            assertThat(caller.name()).isEqualTo("alice");
            assertThat(caller.tags()).containsExactly("gold");
            JsonNode claims =
                    exchange.fact(JsonPointer.compile("/" + Exchange.CLAIMS)).orElseThrow();
            assertThat(claims).hasToString("""
                    {"sub":"alice","dn":"uid=alice,ou=people,dc=example","groups":["gold"]}""");
            assertThat(exchange.fact(JsonPointer.compile("/ldap-auth"))).contains(claims);
        }
    }

    @Test
    void a_wrong_password_is_asked_about_again_sooner() throws Exception {
        Policy policy = policy(DIRECT);
        assertThat(status(policy, basic("alice", "new"))).contains(401);
        server.modify(
                "dn: uid=alice,ou=people,dc=example",
                "changetype: modify",
                "replace: userPassword",
                "userPassword: new");
        services.clock().advance(Duration.ofSeconds(6));
        assertThat(status(policy, basic("alice", "new"))).isEmpty();
    }

    @Test
    void is_there_again_when_the_directory_is() throws Exception {
        Policy policy = policy(SEARCH + ", 'cacheFor': '0s'");
        int port = server.getListenPort();
        assertThat(status(policy, basic("alice", "right"))).isEmpty();
        server.shutDown(true);
        assertThatThrownBy(() -> policy.apply(basic("alice", "right"))).isInstanceOf(DependencyException.class);
        assertThat(port).isPositive();
        server.startListening();
        if (server.getListenPort() == port)
            assertThat(status(policy, basic("alice", "right"))).isEmpty();
    }

    @Test
    void a_server_that_hangs_or_lies_lets_nobody_in() throws Exception {
        for (String said : List.of("", "rubbish", "0\u000c\u0002\u0001\u0001a\u0007", "close")) {
            try (ServerSocket liar = new ServerSocket(0)) {
                Thread.ofVirtual().start(() -> lie(liar, said));
                String url = "ldap://127.0.0.1:" + liar.getLocalPort();
                Policy policy = policyOf("{'servers': ['" + url + "'], 'timeout': '100ms'" + DIRECT + "}");
                assertThatThrownBy(() -> policy.apply(basic("alice", "right")))
                        .as(said)
                        .isInstanceOf(DependencyException.class);
                Policy second =
                        policyOf("{'servers': ['" + url + "', '" + url() + "'], 'timeout': '100ms'" + DIRECT + "}");
                assertThat(status(second, basic("alice", "right"))).as(said).isEmpty();
            }
        }
    }

    private static void lie(ServerSocket liar, String said) {
        try {
            while (true) {
                Socket socket = liar.accept();
                socket.getInputStream().read();
                socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
                if (said.equals("close")) socket.close();
            }
        } catch (java.io.IOException e) {
            // the test is over
        }
    }

    @Test
    void may_be_one_of_several_ways_in() {
        var policy = (AuthenticationPolicy) policy(DIRECT);

        assertThat(policy.shownAt(basic("a", "b"))).isEqualTo("header:authorization");
        assertThat(policy.shownAt(Exchanges.get("/").make())).isNull();
        assertThat(policy.challenge()).isEqualTo("Basic realm=\"orders\", charset=\"UTF-8\"");
    }

    @Test
    void tells_what_is_wrong_with_a_definition() {
        assertThat(problems("{'servers': ['ldap://10.0.0.1'], 'users': {'dn': 'uid=x'}}"))
                .containsExactly(
                        "/servers/0: expected ldaps://, since \"startTls\" is not true, got ldap://",
                        "/users/dn: expected {user} in it, got \"uid=x\"");
        assertThat(problems("{'users': {}}")).contains("/servers: expected 1 to 8 URLs, got 0");
    }

    private String url() {
        return "ldap://127.0.0.1:" + server.getListenPort();
    }

    private Policy policy(String more) {
        return policyOf("{'servers': ['" + url() + "']" + more + "}");
    }

    private Policy policyOf(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        LdapAuth spec = new LdapAuth.Type().read(node);
        node.refuseUnknownFields();
        node.throwIfInvalid();
        return spec.compile(new PolicyPlace("orders", "ldap-auth"), services);
    }

    private static List<String> problems(String json) {
        var node = ConfigNode.parse(json.replace('\'', '"'));
        new LdapAuth.Type().read(node);
        node.refuseUnknownFields();
        return node.problems().stream().map(ConfigProblem::toString).toList();
    }

    private static Exchange basic(String user, String password) {
        byte[] both = (user + ':' + password).getBytes(StandardCharsets.UTF_8);
        return Exchanges.get("/")
                .with("Authorization", "Basic " + Base64.getEncoder().encodeToString(both))
                .make();
    }

    private static Optional<Integer> status(Policy policy, Exchange exchange) {
        return switch (policy.apply(exchange)) {
            case Verdict.Stop(Response response) -> Optional.of(response.status());
            case Verdict.Answer(Response response, var _) -> Optional.of(response.status());
            case Verdict.Proceed(var _) -> Optional.empty();
        };
    }
}

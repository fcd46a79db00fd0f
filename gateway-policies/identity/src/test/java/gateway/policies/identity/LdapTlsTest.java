package gateway.policies.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.util.ssl.KeyStoreKeyManager;
import com.unboundid.util.ssl.SSLUtil;
import com.unboundid.util.ssl.TrustAllTrustManager;
import gateway.service.DependencyException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class LdapTlsTest {
    @TempDir
    private Path folder;

    @Test
    void speaks_tls_with_a_server_that_it_trusts_and_says_nothing_to_others() throws Exception {
        for (String scheme : List.of("ldaps", "ldap")) {
            String own = certificate(scheme + "-own", "dns:localhost");
            String foreign = certificate(scheme + "-foreign", "dns:other.example");
            assertThat(ask(scheme, scheme + "-own", Optional.of(own))).isInstanceOf(LdapAnswer.Right.class);
            // of another host; of another authority; of one that the platform does not know
            assertThatThrownBy(() -> ask(scheme, scheme + "-foreign", Optional.of(foreign)))
                    .isInstanceOf(DependencyException.class);
            assertThatThrownBy(() -> ask(scheme, scheme + "-own", Optional.of(foreign)))
                    .isInstanceOf(DependencyException.class);
            assertThatThrownBy(() -> ask(scheme, scheme + "-own", Optional.empty()))
                    .isInstanceOf(DependencyException.class);
        }
    }

    private LdapAnswer ask(String scheme, String store, Optional<String> ca) throws Exception {
        var keys = new KeyStoreKeyManager(
                folder.resolve(store + ".p12").toFile(), "changeit".toCharArray(), "PKCS12", "own");
        var tls = new SSLUtil(keys, new TrustAllTrustManager());
        var config = new InMemoryDirectoryServerConfig("dc=example");
        config.setSchema(null);
        config.setListenerConfigs(
                scheme.equals("ldaps")
                        ? InMemoryListenerConfig.createLDAPSConfig("tls", tls.createSSLServerSocketFactory())
                        : InMemoryListenerConfig.createLDAPConfig("start", null, 0, tls.createSSLSocketFactory()));
        var server = new InMemoryDirectoryServer(config);
        server.add("dn: dc=example", "objectClass: domain", "dc: example");
        server.add("dn: uid=alice,dc=example", "objectClass: account", "uid: alice", "userPassword: right");
        server.startListening();
        var url = URI.create(scheme + "://localhost:" + server.getListenPort());
        // By name: of a server at 127.0.0.1 the library takes any certificate that is trusted.
        var second = Duration.ofSeconds(5);
        var servers = new LdapServers(List.of(url), scheme.equals("ldap"), ca, second, second);
        var users = new LdapUsers(Optional.of("uid={user},dc=example"), "", "", Optional.empty());
        var directory = new LdapDirectory(new LdapDirectory.Id(servers, users, Optional.empty()));
        try {
            return directory.ask("alice", "right");
        } finally {
            directory.retired();
            server.shutDown(true);
        }
    }

    /// Its PEM; keys and certificate lie in the folder.
    private String certificate(String name, String host) throws Exception {
        String store = folder.resolve(name + ".p12").toString();
        Path pem = folder.resolve(name + ".pem");
        String usual = "-keystore " + store + " -storetype PKCS12 -storepass changeit -alias own ";
        keytool("-genkeypair " + usual + "-keyalg EC -dname CN=x -validity 30 -ext san=" + host);
        keytool("-exportcert -rfc " + usual + "-file " + pem);
        return Files.readString(pem);
    }

    private static void keytool(String words) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(words.trim().split(" ", -1)));
        assertThat(new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor())
                .isZero();
    }
}

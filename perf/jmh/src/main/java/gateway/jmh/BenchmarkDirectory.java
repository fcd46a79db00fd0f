package gateway.jmh;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;

/// A directory of one user, `alice`, who is in the group `gold`, on this machine.
final class BenchmarkDirectory implements AutoCloseable {
    private final InMemoryDirectoryServer server;

    private BenchmarkDirectory(InMemoryDirectoryServer server) {
        this.server = server;
    }

    /// @param password of the user
    static BenchmarkDirectory open(String password) {
        try {
            var config = new InMemoryDirectoryServerConfig("dc=example");
            config.setSchema(null);
            config.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig("plain", 0));
            var server = new InMemoryDirectoryServer(config);
            server.add("dn: dc=example", "objectClass: domain", "dc: example");
            server.add("dn: uid=alice,dc=example", "objectClass: account", "uid: alice", "userPassword: " + password);
            server.add(
                    "dn: cn=gold,dc=example", "objectClass: groupOfNames", "cn: gold", "member: uid=alice,dc=example");
            server.startListening();
            return new BenchmarkDirectory(server);
        } catch (LDAPException | LDIFException e) {
            throw new IllegalStateException("the directory does not start", e);
        }
    }

    int port() {
        return server.getListenPort();
    }

    @Override
    public void close() {
        server.shutDown(true);
    }
}

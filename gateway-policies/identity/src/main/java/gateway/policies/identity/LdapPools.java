package gateway.policies.identity;

import com.unboundid.ldap.sdk.LDAPConnectionOptions;
import com.unboundid.ldap.sdk.LDAPConnectionPool;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.PostConnectProcessor;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.SingleServerSet;
import com.unboundid.ldap.sdk.StartTLSPostConnectProcessor;
import com.unboundid.util.ssl.HostNameSSLSocketVerifier;
import gateway.service.DependencyException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The connections to one server. Searches and binds are apart, so that no storm of wrong passwords stops searches.
record LdapPools(LDAPConnectionPool searches, LDAPConnectionPool binds) {
    private static final int SEARCHES = 4;
    private static final int BINDS = 16;

    static List<LdapPools> of(LdapServers servers, Optional<LdapDirectory.Own> own) {
        try {
            var context = context(servers.ca());
            var pools = new ArrayList<LdapPools>();
            for (URI url : servers.urls()) {
                @Nullable
                SimpleBindRequest account = own.map(it ->
                                new SimpleBindRequest(it.dn(), it.password().reveal()))
                        .orElse(null);
                pools.add(new LdapPools(
                        pool(servers, url, context, account, SEARCHES), pool(servers, url, context, null, BINDS)));
            }
            return List.copyOf(pools);
        } catch (LDAPException | GeneralSecurityException | IOException e) {
            throw new DependencyException(servers.name(), "cannot be spoken to", e);
        }
    }

    private static LDAPConnectionPool pool(
            LdapServers servers, URI url, SSLContext context, @Nullable SimpleBindRequest account, int most)
            throws LDAPException {
        boolean secret = url.getScheme().equals("ldaps");
        int port = url.getPort() > 0 ? url.getPort() : secret ? 636 : 389;
        @Nullable
        PostConnectProcessor before = !secret && servers.startTls() ? new StartTLSPostConnectProcessor(context) : null;
        var set = new SingleServerSet(
                url.getHost().replace("[", "").replace("]", ""),
                port,
                secret ? context.getSocketFactory() : null,
                options(servers));
        var pool = new LDAPConnectionPool(set, account, 0, most, before, false);
        pool.setCreateIfNecessary(false);
        pool.setMaxWaitTimeMillis(servers.timeout().toMillis());
        pool.setRetryFailedOperationsDueToInvalidConnections(true);
        return pool;
    }

    private static LDAPConnectionOptions options(LdapServers servers) {
        var options = new LDAPConnectionOptions();
        options.setConnectTimeoutMillis((int) servers.connectTimeout().toMillis());
        options.setResponseTimeoutMillis(servers.timeout().toMillis());
        options.setFollowReferrals(false);
        options.setUseSynchronousMode(true);
        options.setAbandonOnTimeout(false);
        options.setMaxMessageSize(1 << 20);
        options.setSSLSocketVerifier(new HostNameSSLSocketVerifier(true));
        return options;
    }

    private static SSLContext context(Optional<String> ca) throws GeneralSecurityException, IOException {
        if (ca.isEmpty()) return SSLContext.getDefault();
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        var content = new ByteArrayInputStream(ca.get().getBytes(StandardCharsets.US_ASCII));
        for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(content)) {
            trusted.setCertificateEntry("ca" + trusted.size(), each);
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /// Whether the end of a bind says that this user is not let in; any other is the server's own trouble.
    static boolean isAboutTheUser(ResultCode code) {
        return code.equals(ResultCode.INVALID_CREDENTIALS)
                || code.equals(ResultCode.NO_SUCH_OBJECT)
                || code.equals(ResultCode.INVALID_DN_SYNTAX)
                || code.equals(ResultCode.INAPPROPRIATE_AUTHENTICATION)
                || code.equals(ResultCode.UNWILLING_TO_PERFORM)
                || code.equals(ResultCode.CONSTRAINT_VIOLATION);
    }

    void close() {
        searches.close();
        binds.close();
    }
}

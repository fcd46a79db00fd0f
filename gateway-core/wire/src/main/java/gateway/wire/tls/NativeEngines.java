package gateway.wire.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslCachingX509KeyManagerFactory;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/// Engines of BoringSSL by way of Netty's `netty-tcnative`, used without the rest of Netty. Decision 123 tells what
/// they save.
///
/// Keys other than RSA and EC, and one name with keys of both kinds, are left to the JDK: BoringSSL is told of one
/// chain for a connection, before the client's ciphers are weighed.
final class NativeEngines implements Engines {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Set<String> KEY_TYPES = Set.of("RSA", "EC");
    private static final int ANY_PORT = -1;

    private final ReferenceCountedOpenSslContext context;

    private NativeEngines(ReferenceCountedOpenSslContext context) {
        this.context = context;
    }

    /// Why there can be none for these identities; empty when there can.
    static Optional<String> obstacle(IdentityTable table) {
        if (!OpenSsl.isAvailable()) return Optional.of("the library does not load: " + innermost());
        if (table.hasTwins()) return Optional.of("a name has certificates with keys of several kinds");
        for (Identity each : table.all()) {
            if (!KEY_TYPES.contains(each.keyType()))
                return Optional.of(each.source() + " has a key of the kind " + each.keyType());
            if (!takes(each)) return Optional.of(each.source() + " has a key that BoringSSL does not read");
        }
        return Optional.empty();
    }

    private static String innermost() {
        Throwable cause = OpenSsl.unavailabilityCause();
        while (cause.getCause() != null) cause = cause.getCause();
        return cause.toString();
    }

    private static boolean takes(Identity identity) {
        try {
            ReferenceCountUtil.release(SslContextBuilder.forServer(identity.key(), identity.chain())
                    .sslProvider(SslProvider.OPENSSL)
                    .build());
            return true;
        } catch (SSLException | IllegalArgumentException e) {
            return false;
        }
    }

    /// @param table without an [#obstacle]
    /// @param trust of clients; empty when they are not asked for certificates
    static NativeEngines of(TlsSettings settings, IdentityTable table, Optional<ClientTrust> trust) {
        try {
            var keys = new OpenSslCachingX509KeyManagerFactory(new IdentityKeysFactory(new IdentityKeys(table)));
            var context = (ReferenceCountedOpenSslContext) SslContextBuilder.forServer(keys)
                    .sslProvider(SslProvider.OPENSSL_REFCNT)
                    .trustManager(new NativeTrust(trust.orElseGet(() -> ClientTrust.of(List.of(), Revocations.NONE))))
                    .protocols(settings.versions())
                    .ciphers(settings.ciphers(), SupportedCipherSuiteFilter.INSTANCE)
                    .clientAuth(clientAuth(settings))
                    .applicationProtocolConfig(protocols(settings))
                    .option(OpenSslContextOption.USE_TASKS, false)
                    .build();
            resumeByTickets(context.sessionContext());
            var made = new NativeEngines(context);
            CLEANER.register(made, context::release);
            return made;
        } catch (SSLException e) {
            throw new IllegalStateException(e); // the table has no obstacle, and the rest is ours
        }
    }

    /// Sessions are kept by clients (RFC 8446 §4.6.1, RFC 5077) under keys that BoringSSL makes for this context and
    /// changes by itself; nothing is kept here.
    private static void resumeByTickets(OpenSslSessionContext sessions) {
        sessions.setTicketKeys();
        sessions.setSessionTimeout(SESSION_SECONDS);
        sessions.setSessionCacheEnabled(false);
    }

    private static ClientAuth clientAuth(TlsSettings settings) {
        return switch (settings.clientAuth()) {
            case OFF -> ClientAuth.NONE;
            case OPTIONAL -> ClientAuth.OPTIONAL;
            case REQUIRED -> ClientAuth.REQUIRE;
        };
    }

    /// A client that offers none of these goes on as if it offered nothing; the alert of RFC 7301 §3.2 is not to be had
    /// here.
    private static ApplicationProtocolConfig protocols(TlsSettings settings) {
        return new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                settings.protocols());
    }

    @Override
    public SSLEngine engine(String serverName) {
        try {
            return context.newEngine(UnpooledByteBufAllocator.DEFAULT, serverName, ANY_PORT);
        } finally {
            Reference.reachabilityFence(this); // from here on the engine keeps the context
        }
    }

    @Override
    public String toString() {
        return OpenSsl.versionString();
    }
}

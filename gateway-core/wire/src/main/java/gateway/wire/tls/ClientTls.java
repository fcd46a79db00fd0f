package gateway.wire.tls;

import gateway.net.UpstreamTls;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The gateway's side of TLS with a server of an upstream. Files that change are read again by the time of a new
/// connection, after [#LOOKED_AT] at the latest; wrong ones are told of, and the old ones stay. Used by one thread.
public final class ClientTls {
    private static final Logger LOG = LoggerFactory.getLogger(ClientTls.class);
    private static final long LOOKED_AT = TimeUnit.SECONDS.toNanos(30);
    private static final long TOLD = TimeUnit.SECONDS.toNanos(10);

    private final UpstreamTls settings;
    private SSLContext context;
    private FileStamps seen;
    private long lookedAt = System.nanoTime();
    private long toldAt = System.nanoTime() - TOLD;

    private ClientTls(UpstreamTls settings) {
        this.settings = settings;
        this.seen = stamps();
        this.context = context();
    }

    /// @throws TlsFilesException naming each file that cannot be used
    public static ClientTls of(UpstreamTls settings) {
        return new ClientTls(settings);
    }

    /// Looks whether every server could be spoken to.
    ///
    /// @throws TlsFilesException naming each file that cannot be used
    public static void check(Stream<UpstreamTls> servers) {
        servers.distinct().forEach(ClientTls::of);
    }

    /// For one connection.
    ///
    /// @param protocols that ALPN offers, the best first
    public SSLEngine engine(int port, String... protocols) {
        if (System.nanoTime() - lookedAt > LOOKED_AT) refresh();
        SSLEngine engine = context.createSSLEngine(settings.serverName(), port);
        engine.setUseClientMode(true);
        engine.setSSLParameters(demanding(engine.getSSLParameters(), protocols));
        return engine;
    }

    /// For one connection with blocking reads, over `connected`; the hands are not shaken yet.
    ///
    /// @param protocol that ALPN offers
    public SSLSocket over(Socket connected, String protocol) throws IOException {
        if (System.nanoTime() - lookedAt > LOOKED_AT) refresh();
        var socket = (SSLSocket)
                context.getSocketFactory().createSocket(connected, settings.serverName(), connected.getPort(), true);
        socket.setSSLParameters(demanding(socket.getSSLParameters(), protocol));
        return socket;
    }

    /// @param protocols that ALPN offers
    private SSLParameters demanding(SSLParameters parameters, String... protocols) {
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(protocols);
        if (!isLiteral(settings.serverName()))
            parameters.setServerNames(List.of(new SNIHostName(settings.serverName())));
        return parameters;
    }

    /// Tells the operator why there is no connection, every now and then.
    public void tell(IOException failure) {
        long now = System.nanoTime();
        if (now - toldAt < TOLD) return;
        toldAt = now;
        Throwable cause = failure;
        while (cause.getCause() != null) cause = cause.getCause();
        LOG.warn("no TLS with upstream {}: {}", settings.serverName(), cause.getMessage());
    }

    private static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    private void refresh() {
        lookedAt = System.nanoTime();
        FileStamps now = stamps();
        if (now.equals(seen)) return;
        seen = now;
        try {
            context = context();
        } catch (TlsFilesException e) {
            LOG.error("TLS with upstream {} stays as it was: {}", settings.serverName(), e.getMessage());
        }
    }

    private FileStamps stamps() {
        var files = new ArrayList<Path>();
        settings.ca().ifPresent(files::add);
        settings.certificate().ifPresent(files::add);
        settings.key().ifPresent(files::add);
        return FileStamps.of(files);
    }

    private SSLContext context() {
        var faults = new ArrayList<TlsFilesException.Fault>();
        KeyManager[] keys = {};
        Optional<X509ExtendedTrustManager> trust = Optional.empty();
        try {
            if (settings.certificate().isPresent())
                keys = keys(settings.certificate().get());
        } catch (TlsFileException e) {
            faults.add(new TlsFilesException.Fault(TlsFilesException.Use.CERTIFICATE, 0, e.told()));
        }
        try {
            trust = Optional.of(trust());
        } catch (TlsFileException e) {
            faults.add(new TlsFilesException.Fault(TlsFilesException.Use.TRUST, 0, e.told()));
        }
        if (!faults.isEmpty()) throw new TlsFilesException(faults);
        var manager = new ServerTrust(trust.orElseThrow(), Set.copyOf(settings.pins()));
        try {
            SSLContext made = SSLContext.getInstance("TLS");
            made.init(keys, new TrustManager[] {manager}, null);
            return made;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private KeyManager[] keys(Path certificate) {
        Identity identity = IdentityReader.read(certificate, settings.key(), Optional.empty());
        return new KeyManager[] {new IdentityKeys(new IdentityTable(List.of(identity)))};
    }

    private X509ExtendedTrustManager trust() {
        if (settings.ca().isPresent())
            return ClientTrust.paths(Certificates.read(settings.ca().get()));
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
            factory.init((KeyStore) null);
            return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

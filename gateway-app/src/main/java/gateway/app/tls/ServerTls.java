package gateway.app.tls;

import gateway.json.ConfigProblem;
import gateway.json.InvalidConfigException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/// What a TLS listener presents now. A reload changes it for the connections to come; those that stand are not
/// touched. Sessions from before are not resumed: a certificate revoked meanwhile must be looked at again.
public final class ServerTls {
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256",
        "TLS_AES_256_GCM_SHA384",
        "TLS_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
    };

    private final TlsSettings settings;
    private final InstantSource clock;
    private volatile Presented presented;

    private record Presented(List<Identity> identities, SSLContext context) {}

    private ServerTls(TlsSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.presented = read();
    }

    /// @throws InvalidConfigException naming each file that cannot be used, and what is wrong with it
    public static ServerTls of(TlsSettings settings, InstantSource clock) {
        return new ServerTls(settings, clock);
    }

    /// Reads all files again.
    ///
    /// @throws InvalidConfigException naming each file that cannot be used; what was presented is then presented
    /// still
    public void reload() {
        presented = read();
    }

    /// What all files look like from outside.
    FileStamps stamps() {
        var files = new ArrayList<Path>();
        for (TlsSettings.Place place : settings.certificates()) {
            files.add(place.certificate());
            place.key().ifPresent(files::add);
        }
        settings.clientCa().ifPresent(files::add);
        settings.clientCrl().ifPresent(files::add);
        return FileStamps.of(files);
    }

    /// When the certificates in use expire, by the first name that each stands for.
    public Map<String, Instant> expiries() {
        var expiries = new LinkedHashMap<String, Instant>();
        for (Identity identity : identities()) expiries.merge(identity.label(), identity.expires(), ServerTls::earlier);
        return expiries;
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /// The identities in use, the default first.
    public List<Identity> identities() {
        return presented.identities();
    }

    /// For one connection of a client.
    public SSLEngine engine() {
        SSLEngine engine = presented.context().createSSLEngine();
        engine.setUseClientMode(false);
        var parameters = new SSLParameters(CIPHERS, versions());
        parameters.setUseCipherSuitesOrder(true);
        switch (settings.clientAuth()) {
            case OFF -> {}
            case OPTIONAL -> parameters.setWantClientAuth(true);
            case REQUIRED -> parameters.setNeedClientAuth(true);
        }
        if (settings.http2()) parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
        else parameters.setApplicationProtocols(new String[] {"http/1.1"});
        engine.setSSLParameters(parameters);
        return engine;
    }

    private String[] versions() {
        return switch (settings.oldest()) {
            case TLS_1_2 -> new String[] {"TLSv1.3", "TLSv1.2"};
            case TLS_1_3 -> new String[] {"TLSv1.3"};
        };
    }

    private Presented read() {
        var problems = new ArrayList<ConfigProblem>();
        var identities = new ArrayList<Identity>();
        for (int i = 0; i < settings.certificates().size(); i++) {
            TlsSettings.Place place = settings.certificates().get(i);
            try {
                identities.add(IdentityReader.read(place.certificate(), place.key(), settings.password()));
            } catch (TlsFileException e) {
                problems.add(new ConfigProblem("/tlsCertificates/" + i, e.told()));
            }
        }
        TrustManager[] trust = {};
        try {
            trust = trust().stream().toArray(TrustManager[]::new);
        } catch (TlsFileException e) {
            problems.add(new ConfigProblem("/tlsClientCa", e.told()));
        }
        if (!problems.isEmpty()) throw new InvalidConfigException(problems);
        return new Presented(List.copyOf(identities), context(new IdentityTable(identities), trust));
    }

    private Optional<TrustManager> trust() {
        if (settings.clientAuth() == TlsSettings.ClientAuth.OFF) return Optional.empty();
        List<X509Certificate> authorities =
                Certificates.read(settings.clientCa().orElseThrow());
        Revocations revocations = settings.clientCrl()
                .map(file -> Revocations.read(file, authorities, clock))
                .orElse(Revocations.NONE);
        return Optional.of(ClientTrust.of(authorities, revocations));
    }

    private static SSLContext context(IdentityTable table, TrustManager[] trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new IdentityKeys(table)}, trust, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}

package gateway.wire.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLEngine;

/// What a TLS listener presents now. A reload changes it for the connections to come; those that stand are not
/// touched. Sessions from before are not resumed: a certificate revoked meanwhile must be looked at again.
public final class ServerTls {
    private final TlsSettings settings;
    private final InstantSource clock;
    private volatile Presented presented;

    private record Presented(List<Identity> identities, Engines engines, Optional<ClientTrust> trust) {}

    private ServerTls(TlsSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.presented = read();
    }

    /// @throws TlsFilesException naming each file that cannot be used, and what is wrong with it
    public static ServerTls of(TlsSettings settings, InstantSource clock) {
        return new ServerTls(settings, clock);
    }

    /// Reads all files again.
    ///
    /// @throws TlsFilesException naming each file that cannot be used; what was presented is then presented
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

    /// Whose TLS is spoken now, in words.
    public String engines() {
        return presented.engines().toString();
    }

    /// For one connection of a client that asks for `serverName`; [TlsConnection] gives it back.
    public SSLEngine engine(String serverName) {
        return presented.engines().engine(serverName);
    }

    /// Whether a client that has come through the handshake is still one to let in: with a session of before it was
    /// not asked for its certificate, which may have expired meanwhile, as the list of revoked ones may.
    public boolean admits(TlsConnection client) {
        Optional<ClientTrust> trust = presented.trust();
        return trust.isEmpty() || trust.get().admits(client.peerChain(), clock.instant());
    }

    private Presented read() {
        var faults = new ArrayList<TlsFilesException.Fault>();
        var identities = new ArrayList<Identity>();
        for (int i = 0; i < settings.certificates().size(); i++) {
            TlsSettings.Place place = settings.certificates().get(i);
            try {
                identities.add(IdentityReader.read(place.certificate(), place.key(), settings.password()));
            } catch (TlsFileException e) {
                faults.add(new TlsFilesException.Fault(TlsFilesException.Use.CERTIFICATE, i, e.told()));
            }
        }
        Optional<ClientTrust> trust = Optional.empty();
        try {
            trust = trust();
        } catch (TlsFileException e) {
            faults.add(new TlsFilesException.Fault(TlsFilesException.Use.TRUST, 0, e.told()));
        }
        if (!faults.isEmpty()) throw new TlsFilesException(faults);
        var engines = EngineChoice.of(settings, new IdentityTable(identities), trust);
        return new Presented(List.copyOf(identities), engines, trust);
    }

    private Optional<ClientTrust> trust() {
        if (settings.clientAuth() == TlsSettings.ClientAuth.OFF) return Optional.empty();
        List<X509Certificate> authorities =
                Certificates.read(settings.clientCa().orElseThrow());
        Revocations revocations = settings.clientCrl()
                .map(file -> Revocations.read(file, authorities, clock))
                .orElse(Revocations.NONE);
        return Optional.of(ClientTrust.of(authorities, revocations));
    }
}

package gateway.app.proxy;

import gateway.app.settings.Address;
import gateway.app.settings.Http2Use;
import gateway.app.settings.Setting;
import gateway.app.settings.Setting.Format;
import gateway.app.settings.SettingFormats;
import gateway.app.settings.SettingTable;
import gateway.app.settings.SettingsReader;
import gateway.http.Secret;
import gateway.wire.tls.TlsSettings;
import gateway.wire.tls.TlsSettings.ClientAuth;
import gateway.wire.tls.TlsSettings.Place;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Every setting of the TLS listener.
public final class TlsSettingTable {
    static final Setting<Optional<Address>> LISTEN = Setting.of(
            "tlsListen",
            "",
            "where clients call over TLS, beside the plain listener",
            new Format<>(SettingFormats.ADDRESS.expected(), TlsSettingTable::address));
    static final Setting<List<Place>> CERTIFICATES = Setting.of(
            "tlsCertificates",
            "",
            "certificates with their keys, chosen by server name, the first for all other names",
            SettingFormats.list(new Format<>(
                    "PEM files, chain.pem+key.pem pairs, PKCS#12 stores or folders", TlsSettingTable::place)));
    static final Setting<Optional<Secret>> PASSWORD = Setting.of(
                    "tlsPassword", "", "password of PKCS#12 stores and encrypted keys", SettingFormats.SECRET)
            .shownAs(SettingFormats::hidden);
    static final Setting<TlsSettings.Version> VERSION = Setting.of(
            "tlsVersion",
            "1.2",
            "oldest version of TLS that is spoken",
            SettingFormats.choice(TlsSettings.Version.class, TlsSettingTable::number));
    static final Setting<ClientAuth> CLIENT_AUTH = Setting.of(
            "tlsClientAuth",
            "off",
            "whether clients must, may or need not show a certificate",
            SettingFormats.choice(ClientAuth.class, SettingFormats::lowerCase));
    static final Setting<Optional<Path>> CLIENT_CA = Setting.of(
            "tlsClientCa", "", "PEM file of the certificate authorities of clients", SettingFormats.OPTIONAL_FILE);
    static final Setting<Optional<Path>> CLIENT_CRL = Setting.of(
            "tlsClientCrl",
            "",
            "file of certificate revocation lists of those authorities",
            SettingFormats.OPTIONAL_FILE);
    static final Setting<Duration> CHECK = Setting.of(
            "tlsCheck",
            "30s",
            "how often certificate files are looked at for changes",
            SettingFormats.duration(Duration.ofMillis(100), Duration.ofDays(1)));
    static final Setting<TlsSettings.Engine> ENGINE = Setting.of(
            "tlsEngine",
            "auto",
            "whose TLS clients are served by: the JDK's, OpenSSL's, or the faster that can be had",
            SettingFormats.choice(TlsSettings.Engine.class, SettingFormats::lowerCase));

    public static final List<Setting<?>> ALL =
            List.of(LISTEN, CERTIFICATES, PASSWORD, VERSION, CLIENT_AUTH, CLIENT_CA, CLIENT_CRL, CHECK, ENGINE);

    private TlsSettingTable() {}

    /// Empty when there is no TLS listener.
    public static Optional<SecureListen> read(SettingsReader reader) {
        Optional<Address> listen = reader.read(LISTEN);
        List<Place> certificates = reader.read(CERTIFICATES);
        ClientAuth clientAuth = reader.read(CLIENT_AUTH);
        Optional<Path> authorities = reader.read(CLIENT_CA);
        if (listen.isPresent() && certificates.isEmpty()) {
            problem(reader, CERTIFICATES, "expected a certificate, since " + LISTEN.variable() + " is set");
        }
        if (listen.isEmpty() && reader.read(SettingTable.LISTEN).isEmpty()) {
            problem(reader, LISTEN, "expected an address, since " + SettingTable.LISTEN.variable() + " is off");
        }
        if (clientAuth != ClientAuth.OFF && authorities.isEmpty()) {
            problem(reader, CLIENT_CA, "expected a file of authorities, since clients show certificates");
        }
        if (clientAuth == ClientAuth.OFF && reader.read(CLIENT_CRL).isPresent()) {
            problem(reader, CLIENT_CRL, "expected nothing, since clients show no certificates");
        }
        return listen.map(address -> new SecureListen(
                address,
                new TlsSettings(
                        certificates,
                        reader.read(PASSWORD),
                        reader.read(VERSION),
                        clientAuth,
                        authorities,
                        reader.read(CLIENT_CRL),
                        reader.read(SettingTable.HTTP2) != Http2Use.OFF,
                        reader.read(ENGINE)),
                reader.read(CHECK)));
    }

    private static void problem(SettingsReader reader, Setting<?> setting, String message) {
        reader.problem(reader.place(setting), message);
    }

    private static String number(TlsSettings.Version version) {
        return switch (version) {
            case TLS_1_2 -> "1.2";
            case TLS_1_3 -> "1.3";
        };
    }

    private static Optional<Optional<Address>> address(String text) {
        if (text.isEmpty()) return Optional.of(Optional.empty());
        Optional<Address> address = Address.parse(text);
        return address.isEmpty() ? Optional.empty() : Optional.of(address);
    }

    private static Optional<Place> place(String text) {
        int plus = text.indexOf('+');
        try {
            if (plus < 0) return Optional.of(new Place(Path.of(text), Optional.empty()));
            String key = text.substring(plus + 1);
            if (plus == 0 || key.isEmpty()) return Optional.empty();
            return Optional.of(new Place(Path.of(text.substring(0, plus)), Optional.of(Path.of(key))));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}

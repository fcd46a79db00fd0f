package gateway.app.component;

import gateway.app.settings.Address;
import gateway.app.settings.StartException;
import gateway.http.ClientCertificate;
import gateway.http.Secret;
import gateway.wire.tls.TlsSettings;
import gateway.wire.tls.TlsSettings.ClientAuth;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What an operator decided for a member of the cache component. A gateway heeds none of it.
///
/// @param listen where other members call
/// @param announced what others are told to call; empty: the same
/// @param members where others may be found
/// @param tokens by which gateways may ask
/// @param clients certificates by which they may ask without a token
/// @param share of the heap that entries may take, in percent
/// @param leave how long it may take to hand over what it has
public record MemberTerms(
        Address listen,
        Optional<String> announced,
        List<String> members,
        Optional<Secret> secret,
        List<Secret> tokens,
        List<CertificateName> clients,
        int operationThreads,
        int share,
        Duration leave) {
    private static final int SHORTEST = 32; // characters of a secret
    private static final int CARRIER_GRADE = 0b01; // the two bits behind 100. in 100.64.0.0/10

    public MemberTerms {
        members = List.copyOf(members);
        tokens = List.copyOf(tokens);
        clients = List.copyOf(clients);
    }

    /// These, if a member can be started with them.
    ///
    /// @param tls of the listener that callers come by, if they come by TLS
    /// @throws StartException when it cannot
    public MemberTerms required(Optional<TlsSettings> tls) {
        requirePrivate();
        if (secret.isEmpty() || secret.get().reveal().length() < SHORTEST)
            throw new StartException("expected a secret of " + SHORTEST
                    + " characters or more that all members have in common; set "
                    + MemberSettingTable.SECRET.variable());
        boolean isNobodyKnown = tokens.isEmpty() && clients.isEmpty();
        if (isNobodyKnown || tokens.stream().anyMatch(each -> each.reveal().length() < SHORTEST))
            throw new StartException("expected tokens of " + SHORTEST + " characters or more, by which gateways may"
                    + " ask; set " + MemberSettingTable.TOKENS.variable());
        if (!clients.isEmpty()
                && tls.filter(each -> each.clientAuth() != ClientAuth.OFF).isEmpty())
            throw new StartException("expected a TLS listener that clients show certificates to, since "
                    + MemberSettingTable.CLIENTS.variable() + " is set; set GATEWAY_TLS_CLIENT_AUTH");
        return this;
    }

    /// Whether `shown` is the certificate of one that may ask.
    public boolean admits(ClientCertificate shown) {
        return clients.stream().anyMatch(each -> each.names(shown));
    }

    /// Members trust whoever reaches them: where everybody could, none may listen.
    private void requirePrivate() {
        try {
            InetAddress address = InetAddress.getByName(listen.host());
            if (isPrivate(address)) return;
        } catch (UnknownHostException e) {
            // told below
        }
        throw new StartException("members may listen on an address of a private network or on loopback alone, got "
                + listen + "; set " + MemberSettingTable.LISTEN.variable());
    }

    private static boolean isPrivate(InetAddress address) {
        if (address.isLoopbackAddress() || address.isSiteLocalAddress() || address.isLinkLocalAddress()) return true;
        byte[] bytes = address.getAddress();
        if (address instanceof Inet6Address) return (bytes[0] & 0xfe) == 0xfc; // RFC 4193
        return bytes[0] == 100 && (bytes[1] & 0xc0) >> 6 == CARRIER_GRADE; // RFC 6598, Pods of some clouds
    }
}

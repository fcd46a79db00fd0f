package gateway.app.traffic;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.client5.http.ssl.DefaultHostnameVerifier;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.ssl.SSLContexts;

/// How a node proves that it is the one asked for: an authority that is trusted vouches for it, and for that name.
///
/// The verifier is given by hand: left to its defaults the client (`Rest5Client` 9.5.2 over HttpClient 5.6.3)
/// checks the authority and not the name, so that any certificate of that authority would do (decision 0071).
final class NodeIdentity {
    private NodeIdentity() {}

    /// @param authorities PEM file; empty for those that the JDK trusts
    static TlsStrategy checkedBy(Optional<Path> authorities) {
        return ClientTlsStrategyBuilder.create()
                .setSslContext(authorities.map(Authorities::trusting).orElseGet(SSLContexts::createSystemDefault))
                .setHostVerificationPolicy(HostnameVerificationPolicy.CLIENT)
                .setHostnameVerifier(new DefaultHostnameVerifier())
                .buildAsync();
    }
}

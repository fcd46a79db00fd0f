/// TLS: certificates and keys as files, who is trusted, and the bytes between an `SSLEngine` and a socket.
@NullMarked
package gateway.app.tls;

import org.jspecify.annotations.NullMarked;

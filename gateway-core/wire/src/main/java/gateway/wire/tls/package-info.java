/// TLS on sockets: identities, trust and engines, for listeners and towards upstreams.
@NullMarked
package gateway.wire.tls;

import org.jspecify.annotations.NullMarked;

/// HTTP/2 (RFC 9113): one codec, the side of clients and the side of upstreams.
@NullMarked
package gateway.wire.http2;

import org.jspecify.annotations.NullMarked;

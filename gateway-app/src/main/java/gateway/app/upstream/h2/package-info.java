/// HTTP/2 as upstream servers are spoken to by it (RFC 9113): connections, their streams, and what servers may do.
@NullMarked
package gateway.app.upstream.h2;

import org.jspecify.annotations.NullMarked;

/// HTTP/1.1 (RFC 9112) as it lies in bytes: strict reading of requests and of responses.
@NullMarked
package gateway.wire.http1;

import org.jspecify.annotations.NullMarked;

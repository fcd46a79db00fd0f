/// Connections to upstream servers: names, pools, calls by HTTP/1.1 and HTTP/2, probes.
@NullMarked
package gateway.wire.client;

import org.jspecify.annotations.NullMarked;

/// The gateway between programs that others wrote, as upstreams and as what stands in front of it.
@NullMarked
package gateway.app.peers;

import org.jspecify.annotations.NullMarked;

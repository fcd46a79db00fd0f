/// The stores on Redis: definitions, keys, counters and the audit log, shared by all nodes.
@NullMarked
package gateway.app.redis;

import org.jspecify.annotations.NullMarked;

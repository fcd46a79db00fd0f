/// Which target of an upstream a request goes to, and whether it may go at all: balancing, health, ejection, circuit
/// breaker, retry budget and bulkhead. Knows time and numbers, no sockets.
@NullMarked
package gateway.app.steering;

import org.jspecify.annotations.NullMarked;

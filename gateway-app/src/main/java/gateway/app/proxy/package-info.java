/// Requests of clients from head to end: admission, the pipeline, the answer, tunnels, the drain.
@NullMarked
package gateway.app.proxy;

import org.jspecify.annotations.NullMarked;

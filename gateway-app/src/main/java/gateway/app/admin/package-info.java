/// The JSON admin API: definitions, keys, revisions and what the process is doing. Knows nothing of the HTTP server.
@NullMarked
package gateway.app.admin;

import org.jspecify.annotations.NullMarked;

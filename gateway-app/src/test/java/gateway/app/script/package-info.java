/// Scripts on whole gateways, over sockets, and what neighbours notice of those that do harm.
@NullMarked
package gateway.app.script;

import org.jspecify.annotations.NullMarked;

/// The operator's log: one line or JSON object for each event, its levels, and what keeps clients from flooding it.
@NullMarked
package gateway.app.log;

import org.jspecify.annotations.NullMarked;

/// The traffic log: queue, encoder, spill to disk and what records are shipped to.
@NullMarked
package gateway.app.traffic;

import org.jspecify.annotations.NullMarked;

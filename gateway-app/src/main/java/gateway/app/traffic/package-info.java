/// The traffic log: a record of every request, gathered, shipped and spilled.
@NullMarked
package gateway.app.traffic;

import org.jspecify.annotations.NullMarked;

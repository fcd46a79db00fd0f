/// `gateway bench`: measures a definition's own pipeline on the operator's machine and says which tier carries it.
@NullMarked
package gateway.app.bench;

import org.jspecify.annotations.NullMarked;

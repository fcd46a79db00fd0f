/// Policies that read and change bodies, on a whole gateway.
@NullMarked
package gateway.app.message;

import org.jspecify.annotations.NullMarked;

/// Content codings that need a library.
@NullMarked
package gateway.app.coding;

import org.jspecify.annotations.NullMarked;

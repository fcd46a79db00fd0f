@NullMarked
package gateway.app.entries;

import org.jspecify.annotations.NullMarked;

@NullMarked
package gateway.app.component;

import org.jspecify.annotations.NullMarked;

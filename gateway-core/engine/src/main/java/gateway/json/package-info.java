/// Reading JSON configuration: every problem at once, each under its JSON pointer.
@NullMarked
package gateway.json;

import org.jspecify.annotations.NullMarked;

/// What the traffic log keeps of a message's body, and how secrets in it are hidden.
@NullMarked
package gateway.capture;

import org.jspecify.annotations.NullMarked;

/// API keys: what they grant, how they are kept, and the port to where they are.
@NullMarked
package gateway.key;

import org.jspecify.annotations.NullMarked;

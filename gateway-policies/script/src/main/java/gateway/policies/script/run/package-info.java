/// What a script sees of a message and may change of it, and what it may spend, whatever its language.
@NullMarked
package gateway.policies.script.run;

import org.jspecify.annotations.NullMarked;

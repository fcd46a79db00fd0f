/// JavaScript by Rhino, without anything of Java in sight.
@NullMarked
package gateway.policies.script.javascript;

import org.jspecify.annotations.NullMarked;

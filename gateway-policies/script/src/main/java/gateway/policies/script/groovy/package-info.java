/// Scripts in Groovy, which are bounded and in no sandbox: for operators who allow them.
@NullMarked
package gateway.policies.script.groovy;

import org.jspecify.annotations.NullMarked;

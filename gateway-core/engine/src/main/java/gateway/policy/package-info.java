/// The contract between policies and the engine: what a definition says, what runs, what it answers.
@NullMarked
package gateway.policy;

import org.jspecify.annotations.NullMarked;

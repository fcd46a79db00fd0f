/// The policy that README.md walks through.
@NullMarked
package gateway.example;

import org.jspecify.annotations.NullMarked;

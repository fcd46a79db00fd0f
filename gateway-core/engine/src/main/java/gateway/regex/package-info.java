/// Regular expressions of definitions: bounded before they are compiled.
@NullMarked
package gateway.regex;

import org.jspecify.annotations.NullMarked;

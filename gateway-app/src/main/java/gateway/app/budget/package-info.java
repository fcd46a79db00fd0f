/// How much memory may be held for callers: every kind of it has a bound, and what is held draws on that.
@NullMarked
package gateway.app.budget;

import org.jspecify.annotations.NullMarked;

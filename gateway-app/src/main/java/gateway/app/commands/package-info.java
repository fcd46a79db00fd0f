/// What the command line offers.
@NullMarked
package gateway.app.commands;

import org.jspecify.annotations.NullMarked;

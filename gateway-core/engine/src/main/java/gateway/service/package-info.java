/// Ports: what a request needs from the outside, one job each.
@NullMarked
package gateway.service;

import org.jspecify.annotations.NullMarked;

/// Spans of requests, and how they reach an OpenTelemetry collector.
@NullMarked
package gateway.app.trace;

import org.jspecify.annotations.NullMarked;

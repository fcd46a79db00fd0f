/// Charts as SVG, for reports: drawn for `gateway bench` and, by `gateway plot`, for whatever measures the gateway.
@NullMarked
package gateway.app.chart;

import org.jspecify.annotations.NullMarked;

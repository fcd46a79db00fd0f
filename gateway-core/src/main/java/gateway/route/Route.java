package gateway.route;

import gateway.config.ApiDefinition;
import gateway.http.PathPattern;
import gateway.pipeline.Pipeline;

/// An API ready to serve: its definition and compiled pipeline.
public record Route(ApiDefinition api, PathPattern path, Pipeline pipeline) {}

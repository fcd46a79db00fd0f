package gateway.config;

import gateway.json.Description;

/// What documents with policies look like.
///
/// @param api a definition
/// @param set a policy set
/// @param global the global policies
public record DescribedDefinitions(Description api, Description set, Description global) {}

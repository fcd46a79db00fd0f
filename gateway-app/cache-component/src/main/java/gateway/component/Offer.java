package gateway.component;

import gateway.http.HeaderField;
import gateway.http.HeldBody;
import java.time.Duration;
import java.util.List;

/// What is to be kept.
///
/// @param keep how long
/// @param tags that it can be forgotten by
/// @param fields that are given back with it
record Offer(Duration keep, String contentType, List<String> tags, List<HeaderField> fields, HeldBody content) {}

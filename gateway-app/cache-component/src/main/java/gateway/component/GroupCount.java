package gateway.component;

/// How much of a group is found.
///
/// @param size entries
/// @param hits how often they have been found, so far
/// @param bytes of their content
record GroupCount(long size, long hits, long bytes) {}

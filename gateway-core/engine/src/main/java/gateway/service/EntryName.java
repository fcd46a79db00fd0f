package gateway.service;

/// What a shared entry is found by. Both texts may be of any length; stores keep only their hash.
///
/// @param group that it is forgotten with
/// @param name within the group
public record EntryName(String group, String name) {}

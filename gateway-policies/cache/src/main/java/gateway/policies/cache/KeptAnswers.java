package gateway.policies.cache;

/// What requests share: answers that are kept, and who is on the way for more.
///
/// @param copies that are being made of more
/// @param counts of how requests fare
record KeptAnswers(LocalAnswers answers, Flights flights, CopyRoom copies, CacheCounts counts) {}

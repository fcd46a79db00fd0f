package gateway.policies.cache;

/// What requests share: answers that are kept, and who is on the way for more.
///
/// @param copies that are being made of more
record KeptAnswers(LocalAnswers answers, Flights flights, CopyRoom copies) {}

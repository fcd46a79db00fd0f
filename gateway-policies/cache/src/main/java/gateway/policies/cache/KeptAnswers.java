package gateway.policies.cache;

/// What requests share: answers that are kept, and who is on the way for more.
record KeptAnswers(LocalAnswers answers, Flights flights) {}

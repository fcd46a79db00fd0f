package gateway.json;

/// What one document costs beyond its length, as far as it is read: some of its words stand for far more than
/// themselves.
final class Cost {
    private long sum;

    long add(long cost) {
        sum += cost;
        return sum;
    }
}

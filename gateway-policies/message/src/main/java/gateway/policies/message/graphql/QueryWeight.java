package gateway.policies.message.graphql;

import java.util.ArrayList;
import java.util.List;

/// What fields cost: one each, times the length of the list that they stand in. As deep as a document may be at most.
final class QueryWeight {
    private final List<ListLength> lengths;
    private final List<QueryWeight> within = new ArrayList<>(0);
    private long fields;

    QueryWeight(List<ListLength> lengths) {
        this.lengths = List.copyOf(lengths);
    }

    void addField() {
        fields++;
    }

    /// The weight of what stands in a list, as a part of this one.
    QueryWeight inList(List<ListLength> of) {
        var inner = new QueryWeight(of);
        within.add(inner);
        return inner;
    }

    /// What it takes to keep it: how many there are, this one among them, and their lengths.
    int size() {
        int size = 1 + lengths.size();
        for (QueryWeight each : within) size += each.size();
        return size;
    }

    /// At most [ListLength#MOST].
    long cost(VariableLengths variables) {
        long sum = fields;
        for (QueryWeight each : within) sum = Math.min(ListLength.MOST, sum + each.cost(variables));
        long length = ListLength.most(lengths, variables);
        return length > ListLength.MOST / Math.max(1, sum) ? ListLength.MOST : length * sum;
    }
}

package gateway.policies.message.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/// Rules made ready: what they look for has numbers, and all literals are in one index.
final class CompiledFilter {
    private final List<TextFinder> finders = new ArrayList<>();
    private final List<FilterRule> owners = new ArrayList<>(); // the rule of each finder
    private final BitSet always = new BitSet(); // those without a literal
    private final BitSet masking;
    private final LiteralIndex index;
    private final List<BitSet> wanted = new ArrayList<>(); // of each finder: the lists of its companions
    private final BitSet accompanied = new BitSet(); // those with any
    private final LiteralIndex companions;
    private final int companionLists;
    private final ValueDecoding decoding;

    CompiledFilter(List<FilterRule> rules, ValueDecoding decoding) {
        var literals = new ArrayList<List<String>>();
        var lists = new ArrayList<List<String>>();
        for (FilterRule rule : rules) {
            for (TextFinder finder : rule.finders()) {
                if (finder.literals().isEmpty()) always.set(finders.size());
                literals.add(finder.literals());
                var own = new BitSet();
                own.set(lists.size(), lists.size() + finder.companions().size());
                if (!own.isEmpty()) accompanied.set(wanted.size());
                wanted.add(own);
                lists.addAll(finder.companions());
                finders.add(finder);
                owners.add(rule);
            }
        }
        this.masking = of(rule -> rule.action() == FilterAction.MASK);
        this.index = LiteralIndex.of(literals);
        this.companions = LiteralIndex.of(lists);
        this.companionLists = lists.size();
        this.decoding = decoding;
    }

    /// The finders of some rules.
    BitSet of(Predicate<FilterRule> rules) {
        var found = new BitSet(finders.size());
        for (int i = 0; i < owners.size(); i++) if (rules.test(owners.get(i))) found.set(i);
        return found;
    }

    /// Those of `scope` that do not mask.
    BitSet reporting(BitSet scope) {
        var rest = (BitSet) scope.clone();
        rest.andNot(masking);
        return rest;
    }

    /// Whether nothing of `scope` finds anything in a value that stands for itself alone and has no literal in it.
    boolean literalsTell(BitSet scope) {
        return !always.intersects(scope) && !decoding.undoesWhole();
    }

    /// Whether nothing of `scope` can find anything in a value, whatever it may stand for. Most are told by that,
    /// without an object made for them.
    ///
    /// @param sentEncoded whether it is percent-encoded by where it stands
    boolean passes(String value, BitSet scope, boolean sentEncoded) {
        return literalsTell(scope) && decoding.isBare(value, sentEncoded) && !index.occursIn(value);
    }

    /// Those of `scope` that may find something in the text.
    BitSet candidates(String text, BitSet scope) {
        var ids = (BitSet) always.clone();
        index.search(text, ids);
        ids.and(scope);
        if (ids.intersects(accompanied)) dropLonely(text, ids);
        return ids;
    }

    /// Those whose companions the text does not hold find nothing.
    private void dropLonely(String text, BitSet ids) {
        var missing = new BitSet(companionLists);
        companions.search(text, missing);
        missing.flip(0, companionLists);
        for (int id = ids.nextSetBit(0); id >= 0; id = ids.nextSetBit(id + 1))
            if (wanted.get(id).intersects(missing)) ids.clear(id);
    }

    LiteralIndex index() {
        return index;
    }

    TextFinder finder(int id) {
        return finders.get(id);
    }

    FilterRule owner(int id) {
        return owners.get(id);
    }

    ValueDecoding decoding() {
        return decoding;
    }
}

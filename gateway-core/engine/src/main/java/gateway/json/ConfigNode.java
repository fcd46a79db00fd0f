package gateway.json;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A place in a JSON document that knows its pointer and collects problems.
///
/// Readers ask for what they expect; what is wrong is noted under its pointer and a harmless value stands in, so that
/// one pass finds every problem, as many as [Problems] tells. [#refuseUnknownFields] then names the fields that nobody
/// asked for, and [#throwIfInvalid] ends the reading.
///
/// A reader is also the description of what it reads: run against places of no document, all that it asks for is
/// noted ([Description]), of which JSON Schema and the tables of fields are made. So it asks a place for its value by
/// the method that says most, and says in [#field(String, String)] what the field means.
public sealed interface ConfigNode permits JsonPlace, RecordedPlace {
    static ConfigNode of(JsonNode json) {
        return of(json, "");
    }

    /// @param document that `json` is, such as `apis/orders`: what it holds of secrets was sealed for it
    static ConfigNode of(JsonNode json, String document) {
        return JsonPlace.root(json, document);
    }

    /// @throws InvalidConfigException when `text` is not strict JSON
    static ConfigNode parse(String text) {
        return of(Json.parse(text));
    }

    /// @param document that `text` is, as in [#of(JsonNode, String)]
    /// @throws InvalidConfigException when `text` is not strict JSON
    static ConfigNode parse(String text, String document) {
        return of(Json.parse(text), document);
    }

    /// An enum's constant as documents write it: `TOKEN_BUCKET` is `token-bucket`.
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// This place's RFC 6901 pointer, `""` at the root.
    String pointer();

    boolean isPresent();

    /// The JSON found here.
    Optional<JsonNode> json();

    /// The member `name` of this object, present or not; from now on a known field.
    ConfigNode field(String name);

    /// The same, and what it means: a line for descriptions, without a full stop.
    default ConfigNode field(String name, String meaning) {
        return field(name).meaning(meaning);
    }

    void problem(String message);

    /// Notes that something else than `what` stands here. Told too is what does, unless that is more than one value or
    /// a secret.
    ///
    /// @param what to be said after "expected"
    default void expected(String what) {
        problem("expected " + what);
    }

    /// What `reader` makes of this place. It may be code of users: whatever it throws becomes a problem here, and
    /// `otherwise` stands in. A description is made of what it did until then.
    <T> T attempt(Supplier<T> reader, T otherwise);

    default String text() {
        return text("");
    }

    /// Non-empty text, required.
    String requiredText();

    String text(String fallback);

    default Optional<String> optionalText() {
        return isPresent() ? Optional.of(text()) : Optional.empty();
    }

    boolean bool(boolean fallback);

    /// A whole number from `min` to `max`, required.
    long integer(long min, long max);

    long integer(long min, long max, long fallback);

    /// A number from 0 to 1.
    double share(double fallback);

    /// A duration such as `"500ms"`, `"1s"`, `"15m"`, `"2h"` or `"30d"` from `min` to `max`, required.
    Duration duration(Duration min, Duration max);

    Duration duration(Duration min, Duration max, Duration fallback);

    /// A size in bytes such as `512`, `"64KiB"` or `"2MiB"`, required.
    long size(long min, long max);

    long size(long min, long max, long fallback);

    /// An RFC 3339 time.
    Optional<Instant> optionalInstant();

    /// One of an enum's constants, written in kebab-case (`TOKEN_BUCKET` is `"token-bucket"`).
    <E extends Enum<E>> E choice(E fallback);

    /// The elements of an array in order; an absent one is empty.
    <T> List<T> list(Function<ConfigNode, T> element);

    /// The members of an object in order; an absent one is empty. Every name is known.
    <T> Map<String, T> map(Function<ConfigNode, T> value);

    /// Adds to the cost of the whole document, as whoever bounds it counts.
    ///
    /// @return the sum
    long addCost(long more);

    /// What the whole document costs as far as it was read.
    long cost();

    /// The names of this object's members in order.
    List<String> names();

    /// Whether an object stands here; anything else that is present is noted as a problem.
    boolean expectObject();

    /// Whether an object stands here; its absence is a problem too.
    boolean requireObject();

    /// Notes every member that no reader asked for, the first few with a suggestion when a known name is near.
    void refuseUnknownFields();

    boolean hasProblems();

    /// The problems noted so far in the whole document: the first [Problems#MOST], then how many more there are.
    List<ConfigProblem> problems();

    /// How many problems were noted so far in the whole document.
    long problemCount();

    /// @throws InvalidConfigException when any problem was noted
    default void throwIfInvalid() {
        if (!problems().isEmpty()) throw new InvalidConfigException(problems());
    }

    /// The document that this is a place of, such as `apis/orders`; empty when it has no name.
    default String document() {
        return "";
    }

    /// Notes that a secret is wanted here, in whichever form it stands here.
    default void noteSecret() {}

    /// The pointers of the places in the whole document where a secret is wanted and something stands, as far as they
    /// were read.
    default List<String> secrets() {
        return List.of();
    }

    /// Notes that a stored resource is named here.
    default void noteResource() {}

    /// The pointers of the places in the whole document that name a stored resource, as far as they were read.
    default List<String> resources() {
        return List.of();
    }

    /// For descriptions: what this place means.
    default ConfigNode meaning(String text) {
        return this;
    }

    /// For descriptions: what is expected here, where the kind of value does not tell, such as `header name`.
    default ConfigNode form(String text) {
        return this;
    }

    /// For descriptions: what a text here matches from begin to end.
    default ConfigNode like(Pattern pattern) {
        return this;
    }

    /// For descriptions: what the names of an object's members match from begin to end.
    default ConfigNode namesLike(Pattern pattern) {
        return this;
    }

    /// For descriptions: how many elements or members stand here, or characters when it is text.
    ///
    /// @param most [Integer#MAX_VALUE] for any
    default ConfigNode extent(int least, int most) {
        return this;
    }

    /// For descriptions: of this object's fields of these names, exactly one is there.
    default ConfigNode one(String... names) {
        return this;
    }

    /// For descriptions: of this object's fields of these names, at least one is there.
    default ConfigNode some(String... names) {
        return this;
    }

    /// For descriptions: this object has none of the fields of the other names beside the field `name`.
    default ConfigNode apart(String name, String... others) {
        return this;
    }

    /// For descriptions: this object has the field `name` only beside the field `other`.
    default ConfigNode beside(String other, String name) {
        return this;
    }

    /// For descriptions: this object has the field `name` only where the field `by` is one of `words`.
    ///
    /// @param usual whether that is so as well where there is no `by`
    default ConfigNode onlyWhere(String name, String by, boolean usual, String... words) {
        return this;
    }

    /// For descriptions: this object needs the field `name` where the field `by` is one of `words`.
    ///
    /// @param usual whether that is so as well where there is no `by`
    default ConfigNode neededWhere(String name, String by, boolean usual, String... words) {
        return this;
    }

    /// For descriptions: no two elements of this array are alike.
    default ConfigNode unique() {
        return obeys("{\"uniqueItems\": true}");
    }

    /// For descriptions: what stands here obeys a JSON Schema of its own as well, which says what no other method does.
    ///
    /// @param schema that takes null too, unless this place is required
    default ConfigNode obeys(String schema) {
        return this;
    }

    /// For descriptions: text, a number, true or false stands here, or an array of them.
    ///
    /// @param most elements
    default ConfigNode scalars(int most) {
        return this;
    }

    /// For descriptions: what holds when nothing stands here, where no value does, such as `` `requests` ``.
    default ConfigNode unlessGiven(String text) {
        return this;
    }

    /// For descriptions: what stands here is one of `values`.
    default ConfigNode only(Collection<String> values) {
        return this;
    }

    /// For descriptions: what stands here has a name of its own, and is described once by what `reader` reads.
    default ConfigNode named(String shape, Consumer<ConfigNode> reader) {
        return this;
    }

    /// For descriptions: one of several things may stand here, of which this is one.
    default void alternative(String shape, Consumer<ConfigNode> reader) {}
}

package gateway.policies.standard;

import gateway.http.Response;
import gateway.json.ConfigNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Which answers count against who gets them.
///
/// @param statuses whoever gives them: the gateway or the upstream
/// @param problems types of the gateway's own, such as `unauthenticated`
record RefusedAnswers(Set<Integer> statuses, Set<String> problems) {
    private static final String NONE = """
            {"not": {"properties": {"statuses": {"enum": [null, []]}, "problems": {"enum": [null, []]}}}}""";
    private static final Pattern PROBLEM = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final int MOST = 100;
    private static final RefusedAnswers USUAL = new RefusedAnswers(Set.of(401, 403), Set.of());

    RefusedAnswers {
        statuses = Set.copyOf(statuses);
        problems = Set.copyOf(problems);
    }

    static RefusedAnswers read(ConfigNode node) {
        if (!node.expectObject()) return USUAL;
        ConfigNode statusList = node.field("statuses", "of whoever answers");
        List<Integer> statuses = statusList.list(each -> (int) each.integer(400, 599));
        ConfigNode problemList = node.field("problems", "types of the gateway's own problems, such as `rate-limited`");
        List<String> problems = problemList.list(RefusedAnswers::problem);
        node.refuseUnknownFields();
        statusList.extent(0, MOST);
        if (statuses.size() > MOST)
            statusList.problem("expected at most " + MOST + " statuses, got " + statuses.size());
        problemList.extent(0, MOST);
        if (problems.size() > MOST) problemList.problem("expected at most " + MOST + " types, got " + problems.size());
        node.some("statuses", "problems").obeys(NONE);
        if (statuses.isEmpty() && problems.isEmpty()) node.problem("expected a status or a problem type");
        return new RefusedAnswers(new TreeSet<>(statuses), new TreeSet<>(problems));
    }

    private static String problem(ConfigNode node) {
        String text = node.like(PROBLEM).requiredText();
        if (!text.isEmpty() && !PROBLEM.matcher(text).matches()) node.expected("a type such as \"forbidden\"");
        return text;
    }

    boolean hold(Response answer) {
        return (answer.status() >= 400 && statuses.contains(answer.status())) || problems.contains(answer.reason());
    }
}

package gateway.policy;

import gateway.http.Response;

/// Decides whether a policy sees an answer on its way back: the compiled form of `when.answer`.
@FunctionalInterface
public interface AnswerCondition {
    AnswerCondition ALWAYS = answer -> true;

    boolean holds(Response answer);
}

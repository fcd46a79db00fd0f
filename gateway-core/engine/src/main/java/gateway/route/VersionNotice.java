package gateway.route;

import gateway.config.VersionDefinition;
import gateway.config.VersionsDefinition;
import gateway.config.VersionsDefinition.In;
import gateway.http.Response;
import gateway.policy.CompiledPolicy;
import gateway.policy.Followup;
import gateway.policy.Policy;
import gateway.policy.PolicyPlace;
import gateway.policy.PolicySpec;
import gateway.policy.Services;
import gateway.policy.Verdict;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/// The headers by which every answer of a version tells of its end, and that caches must keep versions apart; an empty
/// one is not sent.
///
/// @param deprecation RFC 9745: a date as structured fields have it, `@1767225600`
/// @param sunset RFC 8594: an HTTP date
/// @param link RFC 8288, of the relations `deprecation` and `sunset`
/// @param vary the header that chooses the version (RFC 9110 §12.5.5)
public record VersionNotice(String deprecation, String sunset, String link, String vary)
        implements PolicySpec, Followup {
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final String BOTH = "deprecation sunset";

    /// The sunset of a version that does but expire is its expiry.
    public static VersionNotice of(VersionDefinition version, VersionsDefinition versions) {
        Optional<Instant> sunset = version.sunset().or(version::expires);
        String relations = version.deprecatedSince().isEmpty() ? "sunset" : sunset.isEmpty() ? "deprecation" : BOTH;
        return new VersionNotice(
                version.deprecatedSince()
                        .map(since -> "@" + since.getEpochSecond())
                        .orElse(""),
                sunset.map(HTTP_DATE::format).orElse(""),
                version.link()
                        .map(link -> "<" + link + ">; rel=\"" + relations + "\"")
                        .orElse(""),
                vary(versions));
    }

    /// What answers have that are none of a version: they too depend on the header that chooses one.
    public static VersionNotice ofNone(VersionsDefinition versions) {
        return new VersionNotice("", "", "", vary(versions));
    }

    private static String vary(VersionsDefinition versions) {
        return versions.in() == In.HEADER ? versions.name() : "";
    }

    public boolean isEmpty() {
        return deprecation.isEmpty() && sunset.isEmpty() && vary.isEmpty();
    }

    @Override
    public CompiledPolicy compile(PolicyPlace placement, Services services) {
        Verdict told = Verdict.proceed(this);
        return (Policy) exchange -> told;
    }

    @Override
    public Response onResponse(Response response) {
        if (!deprecation.isEmpty()) response.headers().set("Deprecation", deprecation);
        if (!sunset.isEmpty()) response.headers().set("Sunset", sunset);
        if (!link.isEmpty()) response.headers().add("Link", link);
        if (!vary.isEmpty()) response.headers().add("Vary", vary);
        return response;
    }
}

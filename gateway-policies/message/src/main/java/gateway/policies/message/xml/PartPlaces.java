package gateway.policies.message.xml;

import java.util.List;
import java.util.Optional;

/// Where the part of a document begins that is validated, told while it is read.
sealed interface PartPlaces {
    static PartPlaces of(XmlPart part, boolean answer) {
        return switch (part) {
            case XmlPart.Document _ -> new OfDocument();
            case XmlPart.Path(var steps) -> new OfPath(steps);
            case XmlPart.SoapBody _ -> new OfSoap(answer);
        };
    }

    /// What an element is that stands in no part.
    enum Place {
        AROUND,
        BEGINS,
        /// It stands where a part would, and is none.
        PASSED,
        WRONG
    }

    /// @param depth 1 for the root
    Place enter(int depth, String namespace, String local);

    /// Whether text may stand around the parts.
    default boolean takesText() {
        return true;
    }

    /// What is wrong with the last [Place#WRONG] one.
    default String wrong() {
        return "";
    }

    /// What is missing once all is read.
    Optional<String> missing();

    final class OfDocument implements PartPlaces {
        @Override
        public Place enter(int depth, String namespace, String local) {
            return Place.BEGINS;
        }

        @Override
        public Optional<String> missing() {
            return Optional.empty();
        }
    }

    final class OfPath implements PartPlaces {
        private final List<XmlName> steps;
        private int matched; // steps that lead to where the reading is
        private boolean found;

        OfPath(List<XmlName> steps) {
            this.steps = steps;
        }

        @Override
        public Place enter(int depth, String namespace, String local) {
            if (matched >= depth) matched = depth - 1;
            if (matched != depth - 1 || !steps.get(matched).is(namespace, local)) return Place.AROUND;
            matched = depth;
            if (matched < steps.size()) return Place.AROUND;
            matched = depth - 1; // it is read whole, and its sibling may be another one
            found = true;
            return Place.BEGINS;
        }

        @Override
        public Optional<String> missing() {
            return found ? Optional.empty() : Optional.of("the part that is to be there is missing");
        }
    }

    final class OfSoap implements PartPlaces {
        private final boolean faultsPass;
        private String version = "";
        private boolean inBody;
        private int bodies;
        private int contents;
        private String wrong = "";

        OfSoap(boolean faultsPass) {
            this.faultsPass = faultsPass;
        }

        @Override
        public Place enter(int depth, String namespace, String local) {
            return switch (depth) {
                case 1 -> envelope(namespace, local);
                case 2 -> child(namespace, local);
                default -> depth == 3 && inBody ? content(namespace, local) : Place.AROUND;
            };
        }

        private Place envelope(String namespace, String local) {
            if (!local.equals(Soap.ENVELOPE) || Soap.of(namespace).isEmpty()) return wrong("no SOAP envelope");
            version = namespace;
            return Place.AROUND;
        }

        private Place child(String namespace, String local) {
            boolean own = namespace.equals(version);
            inBody = own && local.equals(Soap.BODY);
            if (!inBody) return own && local.equals(Soap.HEADER) ? Place.AROUND : wrong("no part of a SOAP envelope");
            return ++bodies > 1 ? wrong("a second SOAP body") : Place.AROUND;
        }

        private Place content(String namespace, String local) {
            if (++contents > 1) return wrong("a second element in the SOAP body");
            boolean fault = local.equals(Soap.FAULT) && namespace.equals(version);
            return fault && faultsPass ? Place.PASSED : Place.BEGINS;
        }

        @Override
        public boolean takesText() {
            return false;
        }

        private Place wrong(String what) {
            wrong = what;
            return Place.WRONG;
        }

        @Override
        public String wrong() {
            return wrong;
        }

        @Override
        public Optional<String> missing() {
            return contents > 0 ? Optional.empty() : Optional.of("the SOAP body is empty or missing");
        }
    }
}

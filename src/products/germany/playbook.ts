import { invalid } from "../../platform/errors.ts";
import { countryCode } from "../../registry/countries.ts";
import { countryName } from "../datasets/places.ts";
import type { ResearchPlaybook } from "./schema.ts";

/** The manual research of a market's intermediaries: which registers, in which order, and what may be recorded. */

type Register = ResearchPlaybook["registers"][number];

const register = (name: string, url: string, holds: string): Register => ({ name, url, holds, reliability: "A" });

const registers: Readonly<Record<string, readonly Register[]>> = {
  DE: [
    register(
      "Vermittlerregister (DIHK)",
      "https://www.vermittlerregister.info",
      "Intermediaries under section 34d GewO: type, register number, place.",
    ),
    register(
      "Gemeinsames Registerportal der Länder",
      "https://www.handelsregister.de",
      "Firms of the commercial register: legal form, seat, filed documents.",
    ),
    register("Unternehmensregister", "https://www.unternehmensregister.de", "Filed annual accounts."),
    register("BaFin company database", "https://www.bafin.de", "Supervised insurers and pension funds."),
  ],
  AT: [
    register("GISA", "https://www.gisa.gv.at", "Trade licences, insurance intermediaries among them."),
    register("FMA company database", "https://www.fma.gv.at", "Supervised insurers."),
  ],
  CZ: [
    register(
      "JERRS of the Czech National Bank",
      "https://www.cnb.cz/cnb/jerrs",
      "Insurance intermediaries by type, and insurers.",
    ),
    register("Public register (justice.cz)", "https://or.justice.cz", "Firms: legal form, seat, filed documents."),
  ],
  SK: [
    register("Register of the National Bank of Slovakia", "https://regfap.nbs.sk", "Financial agents and advisers."),
    register("Commercial register", "https://www.orsr.sk", "Firms: legal form and seat."),
  ],
  PL: [
    register("RPU of the KNF", "https://rpu.knf.gov.pl", "Insurance agents and brokers."),
    register("KRS", "https://ekrs.ms.gov.pl", "Firms: legal form, seat, filed documents."),
  ],
};

/** Countries with registers listed here. */
export const playbookCountries: readonly string[] = Object.keys(registers);

const steps = [
  "Begin with the register: take the number, the type and the place as they stand there, with the date.",
  "Check in the commercial register that the firm exists under that name, and note its legal form.",
  "Open the firm's own site: imprint first, then products, then whom it addresses.",
  "Write every value with its source, address and date; give it the label that its source earns, not the one it would deserve.",
  "Look for the same register number, or the same name at the same place, before a new profile is made; propose a duplicate, and merge none.",
  "Where two sources differ by more than 5 %, write both and lower the label by a step.",
  "Stop where no source says it: an empty field is a result.",
];

const evidence: ResearchPlaybook["evidence"] = [
  { label: "A", rule: "Official register, supervisor or statistical office: opened itself, and dated." },
  { label: "B", rule: "Published by the body that owns the figure: association, audited report, imprint." },
  { label: "C", rule: "Secondary, and names A or B with a date; or one firm's own claim." },
  { label: "D", rule: "Estimate, undated or not traceable: for discovery, never shown as a fact." },
];

const never = [
  "Write down no names, addresses or telephone numbers of persons.",
  "Read nothing behind a sign-in, and nothing that robots.txt disallows.",
  "Contact nobody: research is reading.",
];

/** Returns a country's playbook. Throws `validation_error` at `/query/country` for an invalid country code. */
export function playbookOf(text: string): ResearchPlaybook {
  const country = text.trim() === "" ? "DE" : countryCode(text);
  if (country === undefined || country === "EU")
    throw invalid("/query/country", "must be the two letters of a country, such as DE");
  const own = registers[country];
  return {
    ...{ country, name: countryName(country, "en"), read_only: true, steps, evidence, never },
    registers: [...(own ?? [])],
    notes: own
      ? ["Addresses of registers change: check that the site is the authority's own."]
      : ["No registers are listed for this country yet: find the supervisor's register of intermediaries first."],
  };
}

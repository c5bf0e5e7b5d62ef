import type { Source } from "../sources.ts";
import csCarIpid from "./cs-car-ipid.md" with { type: "text" };
import csCarMethodology from "./cs-car-methodology.md" with { type: "text" };
import csCarTerms from "./cs-car-terms.md" with { type: "text" };
import csHouseholdIpid from "./cs-household-ipid.md" with { type: "text" };
import csHouseholdMethodology from "./cs-household-methodology.md" with { type: "text" };
import csHouseholdTerms2024 from "./cs-household-terms-2024.md" with { type: "text" };
import csHouseholdTerms2026 from "./cs-household-terms-2026.md" with { type: "text" };
import csLiabilityIpid from "./cs-liability-ipid.md" with { type: "text" };
import csLiabilityTerms from "./cs-liability-terms.md" with { type: "text" };
import csMotorLiabilityTerms from "./cs-motor-liability-terms.md" with { type: "text" };
import csTravelIpid from "./cs-travel-ipid.md" with { type: "text" };
import csTravelTerms from "./cs-travel-terms.md" with { type: "text" };
import deHouseholdTerms from "./de-household-terms.md" with { type: "text" };
import deLiabilityIpid from "./de-liability-ipid.md" with { type: "text" };
import deTravelTerms from "./de-travel-terms.md" with { type: "text" };
import enHouseholdTerms from "./en-household-terms.md" with { type: "text" };
import enMotorLiabilityIpid from "./en-motor-liability-ipid.md" with { type: "text" };
import enTravelTerms from "./en-travel-terms.md" with { type: "text" };
import lawAtOlderDe from "./law-at-older.de.md" with { type: "text" };
import lawCzContractCs from "./law-cz-contract.cs.md" with { type: "text" };
import lawCzContractEn from "./law-cz-contract.en.md" with { type: "text" };
import lawCzDisputesCs from "./law-cz-disputes.cs.md" with { type: "text" };
import lawCzDistributionCs from "./law-cz-distribution.cs.md" with { type: "text" };
import lawCzLifeHealthCs from "./law-cz-life-health.cs.md" with { type: "text" };
import lawCzMotorCs from "./law-cz-motor.cs.md" with { type: "text" };
import lawCzMotorEn from "./law-cz-motor.en.md" with { type: "text" };
import lawCzPropertyCs from "./law-cz-property.cs.md" with { type: "text" };
import lawDeMotorDe from "./law-de-motor.de.md" with { type: "text" };
import lawDeVvgOlderDe from "./law-de-vvg-older.de.md" with { type: "text" };
import lawEuDistributionEn from "./law-eu-distribution.en.md" with { type: "text" };
import lawEuLifeEn from "./law-eu-life.en.md" with { type: "text" };
import lawEuMotorEn from "./law-eu-motor.en.md" with { type: "text" };
import lawPlOlderPl from "./law-pl-older.pl.md" with { type: "text" };
import lawSkContractSk from "./law-sk-contract.sk.md" with { type: "text" };
import lawSkDistanceSk from "./law-sk-distance.sk.md" with { type: "text" };
import skHouseholdTerms from "./sk-household-terms.md" with { type: "text" };
import skMotorLiabilityTerms from "./sk-motor-liability-terms.md" with { type: "text" };
import skTravelIpid from "./sk-travel-ipid.md" with { type: "text" };

/**
 * The starter content: sample documents of a fictitious carrier, marked SYNTHETIC in title and text, and legal notes
 * with their citations. It is a list because a compiled executable has no directory to scan.
 */
const texts: Readonly<Record<string, string>> = {
  "cs-car-ipid.md": csCarIpid,
  "cs-car-methodology.md": csCarMethodology,
  "cs-car-terms.md": csCarTerms,
  "cs-household-ipid.md": csHouseholdIpid,
  "cs-household-methodology.md": csHouseholdMethodology,
  "cs-household-terms-2024.md": csHouseholdTerms2024,
  "cs-household-terms-2026.md": csHouseholdTerms2026,
  "cs-liability-ipid.md": csLiabilityIpid,
  "cs-liability-terms.md": csLiabilityTerms,
  "cs-motor-liability-terms.md": csMotorLiabilityTerms,
  "cs-travel-ipid.md": csTravelIpid,
  "cs-travel-terms.md": csTravelTerms,
  "de-household-terms.md": deHouseholdTerms,
  "de-liability-ipid.md": deLiabilityIpid,
  "de-travel-terms.md": deTravelTerms,
  "en-household-terms.md": enHouseholdTerms,
  "en-motor-liability-ipid.md": enMotorLiabilityIpid,
  "en-travel-terms.md": enTravelTerms,
  "law-at-older.de.md": lawAtOlderDe,
  "law-cz-contract.cs.md": lawCzContractCs,
  "law-cz-contract.en.md": lawCzContractEn,
  "law-cz-disputes.cs.md": lawCzDisputesCs,
  "law-cz-distribution.cs.md": lawCzDistributionCs,
  "law-cz-life-health.cs.md": lawCzLifeHealthCs,
  "law-cz-motor.cs.md": lawCzMotorCs,
  "law-cz-motor.en.md": lawCzMotorEn,
  "law-cz-property.cs.md": lawCzPropertyCs,
  "law-de-motor.de.md": lawDeMotorDe,
  "law-de-vvg-older.de.md": lawDeVvgOlderDe,
  "law-eu-distribution.en.md": lawEuDistributionEn,
  "law-eu-life.en.md": lawEuLifeEn,
  "law-eu-motor.en.md": lawEuMotorEn,
  "law-pl-older.pl.md": lawPlOlderPl,
  "law-sk-contract.sk.md": lawSkContractSk,
  "law-sk-distance.sk.md": lawSkDistanceSk,
  "sk-household-terms.md": skHouseholdTerms,
  "sk-motor-liability-terms.md": skMotorLiabilityTerms,
  "sk-travel-ipid.md": skTravelIpid,
};

/** Returns the starter content as files to import, with facts in front matter. Used by `--starter` and the demo. */
export const starterSources = (): Source[] =>
  Object.entries(texts).map(([name, text]) => ({
    file: `starter/${name}`,
    manifest: null,
    facts: {},
    read: async () => new TextEncoder().encode(text),
  }));

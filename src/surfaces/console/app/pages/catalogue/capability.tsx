import { Code, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { entitledScopes } from "../../../../../contracts/scopes.ts";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useCountryName } from "../../shared/country-name.ts";
import type { FormData } from "../../shared/form/schema-form.tsx";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Section } from "../../shared/section.tsx";
import { useMe } from "../../shared/session.ts";
import { Loaded } from "../../shared/states.tsx";
import { Contract } from "./contract.tsx";
import { Fact, Folded, Listed, OfferPage } from "./detail.tsx";
import { usePriceOf } from "./list.tsx";
import { offerOfCapability } from "./offer.ts";
import { TryIt } from "./try-it.tsx";
import { useWords } from "./words.ts";

/** Whether a limitation is one of many measured figures, which the manifest writes alike. */
const isMeasured = (limitation: string): boolean => limitation.startsWith("Measured ");

type Detail = Schemas["CapabilityDetail"];

/** Returns an example input from one of the capability's tools, if it is an input of the capability itself. */
function exampleOf({ tools, input_schema }: Detail): FormData | undefined {
  const needed = Array.isArray(input_schema.required) ? input_schema.required : [];
  const inputs = tools.flatMap(({ examples }) => examples.map(({ input }) => input));
  return inputs.find(
    (input): input is FormData =>
      typeof input === "object" && input !== null && needed.every((name) => Object.hasOwn(input, String(name))),
  );
}

function Facts({ detail }: { readonly detail: Detail }) {
  const say = useWords();
  const { own } = useOwnWords();
  const { number, percent } = useFormat();
  const { pricing, trial, statistics, countries, provider, semantic_version, evidence_freshness, status } = detail;
  const priceOf = usePriceOf();
  const countryName = useCountryName();
  return (
    <>
      <Fact name={say("price")}>{priceOf(offerOfCapability(detail))}</Fact>
      <Fact name={say("unit")}>{own(pricing.charging_unit)}</Fact>
      <Fact name={say("trial")}>
        {trial.enabled
          ? [say("trial_runs", { count: trial.max_runs }), ...trial.restrictions.map(own)].join(", ")
          : say("no_trial")}
      </Fact>
      <Fact name={say("freshness")}>{own(evidence_freshness)}</Fact>
      <Fact name={say("countries")}>{countries.map(countryName).join(", ")}</Fact>
      <Fact name={say("provider")}>
        {provider} · {say(`status_${status}`)}
      </Fact>
      <Fact name={say("version")}>{semantic_version}</Fact>
      {statistics && (
        <Fact name={say("statistics")}>
          {say("runs_and_success", {
            runs: number(statistics.runs_30d),
            share: statistics.success_rate === null ? "–" : percent(statistics.success_rate),
          })}
        </Fact>
      )}
      <Fact name={say("needs")}>
        <Group gap={4}>
          {[...detail.required_scopes.rest, ...detail.required_entitlements].map((name) => (
            <Code key={name}>{name}</Code>
          ))}
        </Group>
      </Fact>
    </>
  );
}

function CapabilityView({ detail }: { readonly detail: Detail }) {
  const say = useWords();
  const { scopes } = useMe();
  const isEntitled = entitledScopes.every((name) => !detail.required_entitlements.includes(name) || scopes.has(name));
  const trying = {
    offer: offerOfCapability(detail),
    schema: detail.input_schema,
    example: exampleOf(detail),
    hasTrial: detail.trial.enabled && detail.pricing.live_credits > 0,
  };
  return (
    <OfferPage
      name={detail.name}
      outcome={detail.outcome}
      description={detail.description}
      scope="capabilities:run"
      obstacle={isEntitled ? (detail.runnable ? null : "capability_runs_disabled") : "not_entitled"}
      form={<TryIt trying={trying} />}
      facts={<Facts detail={detail} />}
    >
      <Listed title={say("limitations")} items={detail.limitations.filter((text) => !isMeasured(text))} />
      <Folded title={say("measured")} items={detail.limitations.filter(isMeasured)} />
      <Listed title={say("sources")} items={detail.sources} />
      <Section title={say("contract")}>
        <Contract title={say("input")} schema={detail.input_schema} />
        <Contract title={say("output")} schema={detail.output_schema} />
      </Section>
    </OfferPage>
  );
}

/** The page of a capability: what it does, its contract, its limits, and a form to try it. */
export default function Capability() {
  const { slug = "" } = useParams();
  const detail = useQuery({
    queryKey: ["capability", slug],
    queryFn: () => bodyOf(api.GET("/v1/capabilities/{slug}", { params: { path: { slug } } })),
  });
  return (
    <Loaded isPage query={detail}>
      {(shown) => <CapabilityView key={slug} detail={shown} />}
    </Loaded>
  );
}

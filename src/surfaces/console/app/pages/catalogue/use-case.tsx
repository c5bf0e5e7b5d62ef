import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useCountryName } from "../../shared/country-name.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Section } from "../../shared/section.tsx";
import { Loaded } from "../../shared/states.tsx";
import { Contract } from "./contract.tsx";
import { Fact, Listed, OfferPage } from "./detail.tsx";
import { usePriceOf } from "./list.tsx";
import { offerOfUseCase } from "./offer.ts";
import { TryIt } from "./try-it.tsx";
import { useWords } from "./words.ts";

function Steps({ steps }: Pick<Schemas["UseCase"], "steps">) {
  const say = useWords();
  const { own } = useOwnWords();
  const { number } = useFormat();
  return (
    <Section title={say("steps")}>
      <List type="ordered" spacing={6}>
        {steps.map(({ key, title, maximum_credits, requires_approval }) => (
          <List.Item key={key}>
            {own(title)}
            <Text size="sm" c="dimmed">
              {[
                maximum_credits === 0
                  ? say("free")
                  : say("credits", { count: maximum_credits, shown: number(maximum_credits) }),
                ...(requires_approval ? [say("approval")] : []),
              ].join(" · ")}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const blockerOf = ({ execution_blocker }: Schemas["UseCase"]) =>
  execution_blocker?.code === "commercial_validation_required" ? execution_blocker.code : "capability_runs_disabled";

function UseCaseView({ useCase }: { readonly useCase: Schemas["UseCase"] }) {
  const say = useWords();
  const { own } = useOwnWords();
  const priceOf = usePriceOf();
  const countryName = useCountryName();
  const offer = offerOfUseCase(useCase);
  return (
    <OfferPage
      name={useCase.name}
      outcome={useCase.outcome}
      description={useCase.description}
      scope="use-cases:run"
      obstacle={useCase.runnable ? null : blockerOf(useCase)}
      form={<TryIt trying={{ offer, schema: useCase.input_schema, example: undefined, hasTrial: false }} />}
      facts={
        <>
          <Fact name={say("price")}>{priceOf(offer)}</Fact>
          <Fact name={say("freshness")}>{own(useCase.evidence_freshness)}</Fact>
          <Fact name={say("countries")}>{useCase.countries.map(countryName).join(", ")}</Fact>
          <Fact name={say("provider")}>
            {useCase.provider} · {say(`status_${useCase.status}`)}
          </Fact>
          <Fact name={say("version")}>{useCase.semantic_version}</Fact>
        </>
      }
    >
      <Steps steps={useCase.steps} />
      <Listed title={say("delivers")} items={useCase.delivered_results} />
      <Listed title={say("limitations")} items={useCase.limitations} />
      <Section title={say("contract")}>
        <Contract title={say("input")} schema={useCase.input_schema} />
      </Section>
    </OfferPage>
  );
}

/** The page of a use case: its steps, what they deliver, and a form to run it. */
export default function UseCase() {
  const { slug = "" } = useParams();
  const useCase = useQuery({
    queryKey: ["use-case", slug],
    queryFn: () => bodyOf(api.GET("/v1/use-cases/{slug}", { params: { path: { slug } } })),
  });
  return (
    <Loaded isPage query={useCase}>
      {(shown) => <UseCaseView key={slug} useCase={shown} />}
    </Loaded>
  );
}

import { Alert, Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { costOf, type DecisionSize } from "../../../../../products/validator/sizes.ts";
import { api, bodyOf } from "../../shared/api.ts";
import { Back } from "../../shared/back.tsx";
import { freshKey } from "../../shared/browser.ts";
import { useDraft } from "../../shared/draft.ts";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { Section } from "../../shared/section.tsx";
import { Empty, Failed, Loaded } from "../../shared/states.tsx";
import { useAudiences } from "./queries.ts";
import { SizeChoice } from "./size-choice.tsx";
import { useWords } from "./words.ts";

interface Audience {
  readonly audience_id: string;
  readonly name: string;
  readonly personas_count: number;
}

interface Question {
  readonly hypothesis: string;
  readonly audience_id: string;
  readonly size: DecisionSize;
}

/**
 * Returns the question, the audience and the mutation that starts the study. The idempotency key belongs to one
 * question, so a second press does not ask it again.
 */
function useAsking(audiences: readonly Audience[]) {
  const [search] = useSearchParams();
  const go = useNavigate();
  const queries = useQueryClient();
  const [key, setKey] = useState(freshKey);
  const chosen = search.get("audience");
  const empty: Question = { hypothesis: "", audience_id: chosen ?? audiences[0]?.audience_id ?? "", size: "M" };
  const { form, change, forget } = useDraft(`validation ${chosen ?? ""}`, empty);
  const { hypothesis, audience_id, size } = form;
  const asking = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/validator/validations", {
          params: { header: { "Idempotency-Key": key } },
          body: { hypothesis, audience_id, decision_size: size },
        }),
      ),
    async onSuccess({ simulation_id }) {
      forget();
      void queries.invalidateQueries({ queryKey: ["validations"] });
      void queries.invalidateQueries({ queryKey: ["credits"] });
      await go(`/validations/${simulation_id}`);
    },
  });
  const personas = audiences.find((audience) => audience.audience_id === audience_id)?.personas_count;
  return {
    ...form,
    change(changed: Partial<Question>): void {
      change({ ...form, ...changed });
      setKey(freshKey());
    },
    personas,
    asking,
  };
}

interface PriceProps {
  readonly credits: number;
  /** Undefined while loading. */
  readonly available: number | undefined;
}

/** The price, and the credits left. */
function Price({ credits, available }: PriceProps) {
  const say = useWords();
  const { number } = useFormat();
  return (
    <Alert
      color="gray"
      variant="light"
      title={say("price", { count: credits, credits: number(credits) })}
      role="status"
    >
      <Text size="sm">{say("price_text")}</Text>
      {available !== undefined && <Text size="sm">{say("left", { credits: number(available) })}</Text>}
      {credits > (available ?? credits) && <Text size="sm">{say("lacks")}</Text>}
    </Alert>
  );
}

function AskForm({ audiences }: { readonly audiences: readonly Audience[] }) {
  const say = useWords();
  const { asking, personas, ...asked } = useAsking(audiences);
  const held = useQuery({
    queryKey: ["credits"],
    queryFn: () => bodyOf(api.GET("/v1/credits", { params: { query: { limit: 1 } } })),
  });
  const available = held.data?.balance.available;
  const credits = personas === undefined ? undefined : costOf(asked.size, personas);
  const lacks = credits !== undefined && available !== undefined && credits > available;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    asking.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          label={say("hypothesis")}
          description={say("hypothesis_text")}
          required
          autosize
          minRows={4}
          minLength={10}
          value={asked.hypothesis}
          onChange={(event) => asked.change({ hypothesis: event.currentTarget.value })}
        />
        <Select
          label={say("audience")}
          required
          searchable
          allowDeselect={false}
          data={audiences.map(({ audience_id, name, personas_count }) => ({
            value: audience_id,
            label: say("audience_option", { name, count: personas_count }),
          }))}
          value={asked.audience_id}
          onChange={(id) => asked.change({ audience_id: id ?? asked.audience_id })}
        />
        <SizeChoice size={asked.size} choose={(size) => asked.change({ size })} personas={personas} />
        {credits !== undefined && <Price credits={credits} available={available} />}
        {asking.isError && <Failed error={asking.error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={asking.isPending} disabled={credits === undefined || lacks}>
            {say("start")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The page to ask an audience whether it would buy. `?audience=` preselects one. */
export default function AskPage() {
  const say = useWords();
  return (
    <Page title={say("ask")} lead={say("ask_lead")} width={820} above={<Back to="/validations">{say("back")}</Back>}>
      <Loaded query={useAudiences()}>
        {({ audiences }) =>
          audiences.length === 0 ? (
            <Empty title={say("audiences_none")} text={say("audiences_none_text")}>
              <Button component={Link} to="/validations/audiences/new">
                {say("new_audience")}
              </Button>
            </Empty>
          ) : (
            <Section title={say("question")}>
              <AskForm audiences={audiences} />
            </Section>
          )
        }
      </Loaded>
    </Page>
  );
}

import { Grid, Group, Stack, Text } from "@mantine/core";
import { useId } from "react";
import { useFormat } from "../../../shared/format.ts";
import { keyed } from "../../../shared/keyed.ts";
import { useWords } from "../words.ts";
import { MarkedText } from "./marked-text.tsx";
import { Card, Judgement, Part } from "./parts.tsx";
import { type ResultOf, type ResultProps, textIn } from "./shapes.ts";

type Claim = NonNullable<ResultOf<"exa-filter">["claims"]>[number];

const looks = { OK: "good", WARN: "uneasy", FAIL: "bad" } as const;

function Sources({
  input,
  supporting,
}: {
  readonly input: ResultProps<"exa-filter">["input"];
  readonly supporting: readonly string[];
}) {
  const say = useWords();
  const given = Array.isArray(input.sources)
    ? input.sources.filter((source) => typeof source === "string")
    : supporting;
  return (
    <Part title={say("sources")}>
      <Stack component="ol" className="plain" gap="xs">
        {keyed(given).map(({ key, item: source }, i) => (
          <Card key={key}>
            <Group justify="space-between" gap="xs">
              <Text fw={600}>[{i + 1}]</Text>
              {supporting.includes(source) && (
                <Text size="sm" c="dimmed">
                  {say("claim_supported")}
                </Text>
              )}
            </Group>
            <Text size="sm" className="passage">
              {source}
            </Text>
          </Card>
        ))}
      </Stack>
    </Part>
  );
}

/** A supported claim that carries a reason is only probably supported, and keeps the answer from being OK. */
const standingOf = ({ supported, reason }: Claim) =>
  supported ? (reason === null ? "supported" : "doubted") : "unsupported";
const claimLooks = { supported: "good", doubted: "uneasy", unsupported: "bad" } as const;

function ClaimCard({ claim, id }: { readonly claim: Claim; readonly id: string }) {
  const say = useWords();
  const { percent } = useFormat();
  const { text, probability, reason } = claim;
  const standing = standingOf(claim);
  return (
    <Card id={id}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Judgement look={claimLooks[standing]}>{say(`claim_${standing}`)}</Judgement>
        <Text c="dimmed">{percent(probability)}</Text>
      </Group>
      <Text size="sm">{text}</Text>
      {reason !== null && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
    </Card>
  );
}

/** The checked answer with its claims highlighted, next to its sources. */
export default function Claims({ input, result }: ResultProps<"exa-filter">) {
  const say = useWords();
  const { percent } = useFormat();
  const id = useId();
  const { trust_state, faithfulness_score, verdict_text, claims = [] } = result;
  const marks = claims.map((claim, i) => {
    const { start, end } = claim;
    const standing = standingOf(claim);
    return { start, end, explainedBy: `${id}-${i}`, label: say(`claim_${standing}`), look: claimLooks[standing] };
  });
  return (
    <Stack>
      <Group gap="sm">
        <Judgement look={looks[trust_state]}>{say(`trust_${trust_state}`)}</Judgement>
        {faithfulness_score !== undefined && <Text fw={600}>{percent(faithfulness_score)}</Text>}
        {verdict_text !== undefined && <Text c="dimmed">{verdict_text}</Text>}
      </Group>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack>
            <Part title={say("question")}>
              <Text>{textIn(input, "question")}</Text>
            </Part>
            <Part title={say("checked")}>
              <MarkedText text={textIn(input, "answer")} marks={marks} />
            </Part>
            <Part title={say("claims")}>
              <Stack component="ol" className="plain" gap="xs">
                {claims.map((claim, i) => (
                  <ClaimCard key={claim.start} claim={claim} id={`${id}-${i}`} />
                ))}
              </Stack>
            </Part>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Sources input={input} supporting={result.sources} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

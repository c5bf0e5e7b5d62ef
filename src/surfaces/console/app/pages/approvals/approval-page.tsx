import { Alert, Anchor, Badge, Button, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconEyeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { Page } from "../../shared/page.tsx";
import { useMe } from "../../shared/session.ts";
import { Empty, isNowhere, Loaded, NotFound } from "../../shared/states.tsx";
import { slugOf, useNameOf } from "../runs/queries.ts";
import { Result } from "../runs/results/result.tsx";
import { Steps } from "../runs/results/steps.tsx";
import { approvedOf, mayDecide, soonMs, useDecider } from "./decision.ts";
import { DecisionForm } from "./decision-form.tsx";
import { useWords } from "./words.ts";

type Run = Schemas["Run"];
type Approval = Schemas["Approval"];

interface EvidenceProps {
  readonly run: Run;
  /** The step whose output is decided item by item; its full output is shown. */
  readonly output: Schemas["Step"] | undefined;
}

/**
 * The evidence for the decision: the full output if it is decided by item, the input, and the results of earlier steps.
 */
function Evidence({ run, output }: EvidenceProps) {
  const say = useWords();
  const earlier = run.steps.filter(({ status }) => status === "succeeded");
  const shown = output ? [{ ...output, title: say("whole") }, ...earlier] : earlier;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("evidence")}
      </Title>
      <Steps input={run.input} steps={shown} showsInput />
    </Stack>
  );
}

/** The outcome, for anyone who opens the link after the decision. */
function Decided({ approval, run }: { readonly approval: Approval; readonly run: Run }) {
  const say = useWords();
  const { dateTime } = useFormat();
  const { all, approved, isInPart } = approvedOf(approval);
  const by = useDecider()(approval);
  const when = dateTime(approval.decided_at ?? run.updated_at);
  return (
    <Paper withBorder p="md">
      <Stack gap="xs" align="flex-start">
        <Badge color={approval.decision === "approve" ? "green" : "gray"} variant="light">
          {isInPart
            ? say("approved_in_part", { approved, all })
            : say(approval.decision === "approve" ? "approved" : "rejected")}
        </Badge>
        <Text>{by === undefined ? say("expired", { when }) : say("decided", { by, when })}</Text>
        {approval.comment !== null && <Text className="pre-line">{approval.comment}</Text>}
        {approval.approved_sha256 !== null && (
          <Text size="sm" c="dimmed" className="pre-line">
            {say("hash")} <Code className="breaks">{approval.approved_sha256}</Code>
          </Text>
        )}
        <Text c="dimmed">{say("decided_text")}</Text>
        <Button component={Link} to={`/runs/${run.id}`} variant="default">
          {say("run")}
        </Button>
      </Stack>
    </Paper>
  );
}

/** A pending approval: what is to be approved, why, the evidence, and the decision form. */
function Waiting({ approval, run }: { readonly approval: Approval; readonly run: Run }) {
  const say = useWords();
  const { own } = useOwnWords();
  const { dateTime, left, relative, number } = useFormat();
  const isDecider = mayDecide(useMe());
  const step = run.steps.find(({ key }) => key === approval.step);
  const upTo = (credits: number) => (credits === 0 ? [] : [say("up_to", { credits: number(credits) })]);
  const hasItems = isDecider && (approval.items?.length ?? 0) > 0;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Badge variant="light" color={left(approval.expires_at) < soonMs ? "orange" : "gray"}>
          {say("expires", { when: relative(approval.expires_at) })}
        </Badge>
        <Text size="sm" c="dimmed">
          {[dateTime(approval.expires_at), ...upTo(step?.maximum_credits ?? 0)].join(" · ")}
        </Text>
      </Group>
      <Stack gap={2}>
        <Title order={2} size="h4">
          {say("why")}
        </Title>
        <Text>{own(approval.reason)}</Text>
      </Stack>
      {!hasItems && (
        <Stack gap="xs">
          <Title order={2} size="h4">
            {say("what")}
          </Title>
          {isDecider ? (
            <Paper withBorder p="md">
              <Result capability={step?.capability ?? ""} input={run.input} result={step?.result} />
            </Paper>
          ) : (
            <Alert color="gray" icon={<IconEyeOff size={18} />}>
              {say("hidden")}
            </Alert>
          )}
        </Stack>
      )}
      {isDecider && <DecisionForm run={run} />}
      <Evidence run={run} output={hasItems ? step : undefined} />
    </Stack>
  );
}

/** The page of one approval, which its mail links to. */
export default function ApprovalPage() {
  const say = useWords();
  const { own } = useOwnWords();
  const { run_id = "" } = useParams();
  const query = useQuery({
    queryKey: ["run", run_id],
    queryFn: () => bodyOf(api.GET("/v1/runs/{run_id}", { params: { path: { run_id } } })),
  });
  const offerName = useNameOf();
  const name = query.data ? offerName(slugOf(query.data)) : "";
  const step = query.data?.steps.find(({ key }) => key === query.data.approval?.step);
  if (isNowhere(query.error)) return <NotFound />;
  return (
    <Page
      title={name === "" ? say("title") : name}
      lead={step && say("step", { name: own(step.title) })}
      width={820}
      above={
        <Anchor component={Link} to="/approvals" size="sm">
          <IconArrowLeft size={14} aria-hidden /> {say("back")}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {(run) => {
          if (!run.approval) return <Empty title={say("no_approval")} />;
          return run.status === "awaiting_approval" ? (
            <Waiting run={run} approval={run.approval} />
          ) : (
            <Decided run={run} approval={run.approval} />
          );
        }}
      </Loaded>
    </Page>
  );
}

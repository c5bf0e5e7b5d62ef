import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { ApiError, api, bodyOf } from "../../shared/api.ts";
import { freshKey } from "../../shared/browser.ts";
import { isCommonWord, useCommonWords } from "../../shared/common-words.ts";
import { useDraft } from "../../shared/draft.ts";
import type { FormData, Refused } from "../../shared/form/schema-form.tsx";
import { useFormat } from "../../shared/format.ts";
import { asSentence, useOwnWords } from "../../shared/own-words.ts";
import { useMe, useWorkspace } from "../../shared/session.ts";
import { Failed, Loading } from "../../shared/states.tsx";
import { useRun } from "../runs/queries.ts";
import { useAudiences } from "../validations/queries.ts";
import type { Offer } from "./offer.ts";
import { useWords } from "./words.ts";

const SchemaForm = lazy(() => import("../../shared/form/schema-form.tsx"));

/** An offer, and what its form is built from. */
export interface Trying {
  readonly offer: Pick<Offer, "kind" | "slug" | "credits" | "pricing">;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example: FormData | undefined;
  /** Whether it has a trial, which costs no credits. */
  readonly hasTrial: boolean;
}

type Mode = "live" | "trial";

/**
 * The maximum price of a run with one input. The idempotency key ensures a single run, however often the button is
 * pressed.
 */
interface Quoted {
  readonly input: FormData;
  readonly key: string;
  readonly quoteId: string | undefined;
  readonly maximum: number;
  readonly needsApproval: boolean;
  readonly blocker: string | null;
}

/**
 * Quotes an input. The server quotes use cases; for a capability, the price is in its record, and a run that would cost
 * more is refused.
 */
async function quote({ offer }: Trying, input: FormData, mode: Mode): Promise<Quoted> {
  const key = freshKey();
  if (offer.kind === "capability") {
    const maximum = mode === "trial" ? 0 : offer.credits;
    return { input, key, quoteId: undefined, maximum, needsApproval: false, blocker: null };
  }
  const path = { slug: offer.slug };
  const quoted = await bodyOf(api.POST("/v1/use-cases/{slug}/quote", { params: { path }, body: { input } }));
  const { id, maximum_credits, approval_required, execution_gate } = quoted;
  const blocker = execution_gate.open ? null : (execution_gate.code ?? "");
  return { input, key, quoteId: id, maximum: maximum_credits, needsApproval: approval_required, blocker };
}

interface Starting extends Quoted {
  readonly mode: Mode;
  readonly workspace_id: string | undefined;
}

function start({ offer }: Trying, { input, key, quoteId, maximum, mode, workspace_id }: Starting) {
  const params = { path: { slug: offer.slug }, header: { "Idempotency-Key": key } };
  const place = workspace_id === undefined ? {} : { workspace_id };
  return offer.kind === "capability"
    ? bodyOf(
        api.POST("/v1/capabilities/{slug}/runs", { params, body: { input, mode, maximum_credits: maximum, ...place } }),
      )
    : bodyOf(
        api.POST("/v1/use-cases/{slug}/runs", {
          params,
          body: { input, ...(quoteId !== undefined && { quote_id: quoteId }), ...place },
        }),
      );
}

interface PriceProps {
  readonly trying: Trying;
  readonly quoted: Quoted;
  readonly mode: Mode;
  started(): void;
  /** Called with the run's error, so that problems with the input appear at their fields. */
  refuse(error: unknown): void;
}

/** The price, and the button that starts the run. */
function Price({ trying, quoted, mode, started, refuse }: PriceProps) {
  const say = useWords();
  const common = useCommonWords();
  const { number } = useFormat();
  const { workspace } = useWorkspace();
  const go = useNavigate();
  const client = useQueryClient();
  const credits = useQuery({
    queryKey: ["credits"],
    queryFn: () => bodyOf(api.GET("/v1/credits", { params: { query: { limit: 1 } } })),
  });
  const run = useMutation({
    mutationFn: () => start(trying, { ...quoted, mode, workspace_id: workspace?.id }),
    onError: refuse,
    async onSuccess({ id }) {
      started();
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["credits"] });
      await go(`/runs/${id}`);
    },
  });
  const amount = (count: number): string => say("credits", { count, shown: number(count) });
  const free = say(trying.offer.pricing === "contract" ? "quote_contract" : "quote_free");
  const price = quoted.maximum === 0 ? free : say("quote_maximum", { credits: amount(quoted.maximum) });
  const lacks = quoted.maximum > (credits.data?.balance.available ?? quoted.maximum);
  return (
    <Alert color="gray" variant="light" title={say("quote_title")} role="status">
      <Stack gap="sm">
        <Text fw={600}>{price}</Text>
        {credits.data && (
          <Text size="sm">{say("quote_left", { credits: amount(credits.data.balance.available) })}</Text>
        )}
        {lacks && <Text size="sm">{say("quote_lacks")}</Text>}
        {quoted.needsApproval && <Text size="sm">{say("quote_approval")}</Text>}
        {quoted.blocker !== null && (
          <Text size="sm">{common(isCommonWord(quoted.blocker) ? quoted.blocker : "capability_runs_disabled")}</Text>
        )}
        {run.isError && <Failed error={run.error} />}
        <Group gap="xs">
          <Button loading={run.isPending} disabled={quoted.blocker !== null || lacks} onClick={() => run.mutate()}>
            {say("run")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

const isMembers = (value: unknown): value is FormData => typeof value === "object" && value !== null;

/**
 * Keeps the members that the form has: some runs store only a summary of their input, and a tool's example may have
 * more.
 */
function begunWith(input: unknown, { properties }: Trying["schema"]): FormData {
  if (!isMembers(input) || !isMembers(properties)) return {};
  return Object.fromEntries(Object.entries(input).filter(([name]) => name in properties));
}

/** Prepares an example for this firm: ids are dropped, because they would not exist here. */
function runnable(example: FormData, schema: Trying["schema"]): FormData {
  const { properties } = schema;
  const isId = (name: string): boolean => {
    const member = isMembers(properties) ? properties[name] : undefined;
    return isMembers(member) && member.format === "uuid";
  };
  return Object.fromEntries(Object.entries(begunWith(example, schema)).filter(([name]) => !isId(name)));
}

const inInput = "/body/input/";

/**
 * Returns the problems with the input, by path. A problem with a list item is reported at the list, which is one field.
 */
function refusedOf(error: unknown, own: (message: string) => string): Refused[] {
  if (!(error instanceof ApiError)) return [];
  return error.details
    .filter(({ path }) => path.startsWith(inInput))
    .map(({ path, message }) => ({
      path: path.slice(inInput.length).replace(/\/\d+$/, ""),
      message: asSentence(own(message)),
    }));
}

/** Returns the firm's audiences as choices, if the input names one. */
function useChoices({ properties }: Trying["schema"]) {
  const mayRead = useMe().scopes.has("validator:read");
  const { data } = useAudiences(mayRead && isMembers(properties) && "audience_id" in properties);
  return useMemo(() => {
    if (!data) return {};
    return { audience_id: data.audiences.map(({ audience_id: value, name: label }) => ({ value, label })) };
  }, [data]);
}

interface FormProps {
  readonly trying: Trying;
  /** The id of the run to repeat, if any. */
  readonly from: string | null;
  readonly begun: FormData;
}

function TryForm({ trying, from, begun }: FormProps) {
  const say = useWords();
  const { own } = useOwnWords();
  const { kind, slug } = trying.offer;
  const empty: { readonly data: FormData; readonly mode: Mode } = { data: begun, mode: "live" };
  const { form, change: changeForm, forget } = useDraft(`${kind} ${slug} ${from ?? ""}`, empty);
  const { data, mode } = form;
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const refuse = (error: unknown): void => setRefused(refusedOf(error, own));
  const quoting = useMutation({ mutationFn: (input: FormData) => quote(trying, input, mode), onError: refuse });
  const choices = useChoices(trying.schema);
  const { example, hasTrial, schema } = trying;
  // A price applies to one input only.
  const change = (input: FormData): void => {
    changeForm({ ...form, data: input });
    if (quoting.data && JSON.stringify(input) !== JSON.stringify(quoting.data.input)) quoting.reset();
  };
  const modes = [
    { value: "live", label: say("mode_live") },
    { value: "trial", label: say("mode_trial") },
  ];
  return (
    <Suspense fallback={<Loading lines={4} />}>
      <Stack>
        <SchemaForm
          schema={schema}
          data={data}
          refused={refused}
          choices={choices}
          change={change}
          submit={(input) => {
            setRefused([]);
            quoting.mutate(input);
          }}
        >
          <Stack gap="sm" align="flex-start" mt="md">
            {hasTrial && (
              <SegmentedControl
                aria-label={say("mode")}
                data={modes}
                value={mode}
                onChange={(value) => {
                  changeForm({ ...form, mode: value === "trial" ? "trial" : "live" });
                  quoting.reset();
                }}
              />
            )}
            {!quoting.data && (
              <Group gap="xs">
                <Button type="submit" loading={quoting.isPending}>
                  {say("quote")}
                </Button>
                {example && (
                  <Button variant="default" onClick={() => change(runnable(example, schema))}>
                    {say("example")}
                  </Button>
                )}
              </Group>
            )}
          </Stack>
        </SchemaForm>
        {quoting.isError && <Failed error={quoting.error} />}
        {quoting.data && <Price trying={trying} quoted={quoting.data} mode={mode} started={forget} refuse={refuse} />}
      </Stack>
    </Suspense>
  );
}

function TryAgain({ trying, runId }: { readonly trying: Trying; readonly runId: string }) {
  const run = useRun(runId);
  if (run.isPending) return <Loading lines={4} />;
  return <TryForm trying={trying} from={runId} begun={begunWith(run.data?.input, trying.schema)} />;
}

/** The form for the input, then the price, then the run. `?from=<run>` starts with that run's input. */
export function TryIt({ trying }: { readonly trying: Trying }) {
  const [search] = useSearchParams();
  const from = search.get("from");
  const { slug } = trying.offer;
  if (from === null) return <TryForm key={slug} trying={trying} from={null} begun={{}} />;
  return <TryAgain key={slug} trying={trying} runId={from} />;
}

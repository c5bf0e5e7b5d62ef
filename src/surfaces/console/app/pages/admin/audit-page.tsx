import { Alert, Button, Code, List, Stack } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useFormat } from "../../shared/format.ts";
import { More } from "../../shared/more.tsx";
import { Page } from "../../shared/page.tsx";
import { type Column, Rows } from "../../shared/rows.tsx";
import { Failed, Loaded } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

type Entry = Schemas["OperatorAuditEntry"];

function useColumns(): Column<Entry>[] {
  const say = useWords();
  const { dateTime, number } = useFormat();
  return [
    { name: "#", isFigure: true, cell: ({ seq }) => number(seq) },
    { name: say("when"), cell: ({ at }) => <span className="nowrap">{dateTime(at)}</span> },
    { name: say("action"), cell: ({ action }) => <Code className="nowrap">{action}</Code> },
    { name: say("actor"), cell: ({ actor }) => <Code className="breaks">{actor}</Code> },
    { name: say("subject"), cell: ({ subject }) => <Code className="breaks">{subject}</Code> },
    { name: say("data"), cell: ({ data }) => <Code className="breaks">{JSON.stringify(data)}</Code> },
  ];
}

function Checked({ check }: { readonly check: Schemas["OperatorAuditCheck"] }) {
  const say = useWords();
  if (check.ok)
    return (
      <Alert color="green" title={say("whole", { count: check.checked })} role="status">
        {check.last && (
          <>
            {say("last_entry")} <Code className="breaks">{`${check.last.seq}:${check.last.hash}`}</Code>
          </>
        )}
      </Alert>
    );
  return (
    <Alert color="red" title={say("broken_chain")} role="alert">
      <List>
        {check.problems.map((problem) => (
          <List.Item key={problem}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The installation's audit log, and a check of its hash chain. */
export default function AuditPage() {
  const say = useWords();
  const columns = useColumns();
  const query = useInfiniteQuery({
    queryKey: ["operator", "audit"],
    queryFn: ({ pageParam }) =>
      bodyOf(
        api.GET("/v1/operator/audit", { params: { query: { limit: 50, ...(pageParam && { cursor: pageParam }) } } }),
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
  const check = useMutation({ mutationFn: () => bodyOf(api.GET("/v1/operator/audit/verification")) });
  const verify = (
    <Button leftSection={<IconShieldCheck size={16} />} loading={check.isPending} onClick={() => check.mutate()}>
      {say("verify")}
    </Button>
  );
  return (
    <Page title={say("audit")} lead={say("audit_lead")} actions={verify} width="full">
      <Stack>
        {check.isError && <Failed error={check.error} />}
        {check.data && <Checked check={check.data} />}
        <Loaded query={query}>
          {({ pages }) => (
            <Rows
              label={say("audit")}
              rows={pages.flatMap(({ items }) => items)}
              keyOf={({ seq }) => String(seq)}
              columns={columns}
            />
          )}
        </Loaded>
        <More query={query} />
      </Stack>
    </Page>
  );
}

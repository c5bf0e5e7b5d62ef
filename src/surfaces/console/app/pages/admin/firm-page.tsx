import { Anchor, Group, SimpleGrid, Stack, Title } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { Figure } from "../../shared/figure.tsx";
import { useFormat } from "../../shared/format.ts";
import { Page } from "../../shared/page.tsx";
import { Rows } from "../../shared/rows.tsx";
import { Loaded } from "../../shared/states.tsx";
import { useWords as useTeamWords } from "../team/words.ts";
import { CreditForm } from "./credit-form.tsx";
import { Entitlements } from "./entitlements.tsx";
import { Quotas } from "./quotas.tsx";
import { useWords } from "./words.ts";

type Firm = Schemas["OperatorFirmDetail"];

function People({ firm }: { readonly firm: Firm }) {
  const say = useWords();
  const sayRole = useTeamWords();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {say("people")}
      </Title>
      <Rows
        label={say("people")}
        rows={firm.users}
        keyOf={({ id }) => id}
        columns={[
          { name: say("email"), cell: ({ email }) => email },
          { name: say("role"), cell: ({ role }) => sayRole(role) },
        ]}
      />
      <Title order={2} size="h4" mt="md">
        {say("workspaces")}
      </Title>
      <Rows
        label={say("workspaces")}
        rows={firm.workspaces}
        keyOf={({ id }) => id}
        columns={[
          { name: say("workspaces"), cell: ({ name }) => name },
          { name: "Slug", cell: ({ slug }) => slug },
        ]}
      />
    </Stack>
  );
}

function FirmView({ firm }: { readonly firm: Firm }) {
  const say = useWords();
  const { number } = useFormat();
  return (
    <Stack gap="xl">
      <Group gap="sm">
        <Figure name={say("available")} value={number(firm.credits.available)} />
        <Figure name={say("reserved")} value={number(firm.credits.reserved)} />
      </Group>
      <CreditForm firm_id={firm.id} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xl">
        <Stack gap="xl">
          <Entitlements firm={firm} />
          <Quotas firm={firm} />
        </Stack>
        <People firm={firm} />
      </SimpleGrid>
    </Stack>
  );
}

/** The operator's page for one firm. */
export default function FirmPage() {
  const say = useWords();
  const { firm_id = "" } = useParams();
  const query = useQuery({
    queryKey: ["operator", "firms", firm_id],
    queryFn: () => bodyOf(api.GET("/v1/operator/firms/{firm_id}", { params: { path: { firm_id } } })),
  });
  return (
    <Page
      title={query.data?.name ?? say("firm")}
      above={
        <Anchor component={Link} to="/admin/firms" size="sm">
          <IconArrowLeft size={14} aria-hidden /> {say("all_firms")}
        </Anchor>
      }
    >
      <Loaded query={query}>{(firm) => <FirmView firm={firm} />}</Loaded>
    </Page>
  );
}

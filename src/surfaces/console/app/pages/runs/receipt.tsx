import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "../../shared/api.ts";
import { installedAt } from "../../shared/browser.ts";
import { canVerify, mismatchOf, readReceipt } from "../../shared/receipt.ts";
import { Failed } from "../../shared/states.tsx";
import { useWords } from "./words.ts";

/** The signed receipt of a finished run, to download and to check against this page. */
export function ReceiptSection({ run }: { readonly run: Schemas["Run"] }) {
  const say = useWords();
  const check = useMutation({ mutationFn: async () => mismatchOf(await readReceipt(run.id), run) });
  const { data: mismatch } = check;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {say("receipt_text")}
      </Text>
      <Group gap="xs">
        <Button
          component="a"
          variant="default"
          size="xs"
          href={`${installedAt}/v1/runs/${run.id}/receipt`}
          download={`receipt-${run.id}.jws`}
          leftSection={<IconDownload size={14} />}
        >
          {say("receipt_download")}
        </Button>
        {canVerify() && (
          <Button
            variant="default"
            size="xs"
            loading={check.isPending}
            leftSection={<IconShieldCheck size={14} />}
            onClick={() => check.mutate()}
          >
            {say("receipt_check")}
          </Button>
        )}
      </Group>
      <div role="status">
        {mismatch === null && (
          <Alert color="green" variant="light" icon={<IconShieldCheck size={16} />}>
            {say("receipt_good")}
          </Alert>
        )}
        {mismatch && (
          <Alert color="red" variant="light">
            {say("receipt_bad", { what: say(`receipt_${mismatch}`) })}
          </Alert>
        )}
        {!canVerify() && (
          <Text size="sm" c="dimmed">
            {say("receipt_insecure")}
          </Text>
        )}
      </div>
      {check.isError && <Failed error={check.error} />}
    </Stack>
  );
}

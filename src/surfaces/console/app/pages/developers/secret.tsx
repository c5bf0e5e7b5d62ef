import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { Code } from "../../shared/code.tsx";
import { useWords } from "./words.ts";

interface SecretProps {
  readonly name: string;
  readonly secret: string;
  readonly putAway: () => void;
}

/** A newly created secret. It exists only in this page's memory. */
export function Secret({ name, secret, putAway }: SecretProps) {
  const say = useWords();
  return (
    <Alert color="green" variant="light" icon={<IconKey size={18} />} title={say("secret")} role="status">
      <Stack gap="sm" align="stretch">
        <Text size="sm">{say("secret_text")}</Text>
        <Code text={secret} label={name} />
        <Button variant="default" onClick={putAway} w="fit-content">
          {say("put_away")}
        </Button>
      </Stack>
    </Alert>
  );
}

import { Button, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useCommonWords } from "./common-words.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  /** Label of both buttons: the one that opens the dialog and the one that confirms. */
  readonly action: string;
  /** Accessible label of the first button, for those who can't see its row. */
  readonly label?: string;
  readonly title: string;
  readonly text: ReactNode;
  readonly isPending?: boolean;
  readonly compact?: boolean;
  /** Whether the first button is the page's main action. */
  readonly isMain?: boolean;
  readonly confirm: () => void;
}

/** A button for an action that can't be undone. It asks for confirmation. */
export function Confirm(props: ConfirmProps) {
  const { action, label, title, text, isPending = false, compact = false, isMain = false, confirm } = props;
  const say = useCommonWords();
  const [isAsked, { open, close }] = useDisclosure();
  const does = (): void => {
    close();
    confirm();
  };
  return (
    <>
      <Button
        variant={isMain ? "filled" : "default"}
        size={compact ? "compact-sm" : "sm"}
        loading={isPending}
        aria-label={label}
        onClick={open}
      >
        {action}
      </Button>
      <Dialog isOpen={isAsked} close={close} title={title}>
        <Stack>
          <Text>{text}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              {say("cancel")}
            </Button>
            <Button color="red" onClick={does}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

import { Menu, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { useMe, useWorkspace } from "../shared/session.ts";
import { useOpened } from "./opened.ts";
import { useShellWords } from "./words.ts";

/** The workspaces to choose from. */
export default function WorkspaceMenu({ target }: { readonly target: ReactElement }) {
  const say = useShellWords();
  const { workspaces } = useMe();
  const { workspace, choose } = useWorkspace();
  return (
    <Menu position="bottom-start" width={228} {...useOpened()}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say("workspace")}</Menu.Label>
        <Menu.RadioGroup value={workspace?.id ?? null} onChange={choose}>
          {workspaces.map(({ id, name, firm }) => (
            <Menu.RadioItem key={id} value={id} closeMenuOnClick>
              {name}
              <Text size="xs" c="dimmed">
                {firm.name}
              </Text>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

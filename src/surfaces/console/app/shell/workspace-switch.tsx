import { Menu, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { useMe, useWorkspace } from "../shared/session.ts";
import { useShellWords } from "./words.ts";

/** The firm and the workspace that one works in, and the others to choose from. */
export function WorkspaceSwitch() {
  const say = useShellWords();
  const { workspaces } = useMe();
  const { workspace, choose } = useWorkspace();
  if (!workspace) return null;
  const shown = (
    <Stack gap={0} flex={1} miw={0}>
      <Text size="sm" fw={600} lh={1.3} lineClamp={2}>
        {workspace.firm.name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {workspace.name}
      </Text>
    </Stack>
  );
  if (workspaces.length === 1) return <div className="navigation-link">{shown}</div>;
  return (
    <Menu position="bottom-start" width={228}>
      <Menu.Target>
        <UnstyledButton className="navigation-link" w="100%" mih={44}>
          {shown}
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{say("workspace")}</Menu.Label>
        <Menu.RadioGroup value={workspace.id} onChange={choose}>
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

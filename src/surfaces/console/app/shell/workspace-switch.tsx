import { Stack, Text } from "@mantine/core";
import { useMe, useWorkspace } from "../shared/session.ts";
import { MenuButton } from "./menu-button.tsx";

const load = () => import("./workspace-menu.tsx");

/** The current firm and workspace, with a menu to choose another. */
export function WorkspaceSwitch() {
  const { workspaces } = useMe();
  const { workspace } = useWorkspace();
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
  return <MenuButton load={load}>{shown}</MenuButton>;
}

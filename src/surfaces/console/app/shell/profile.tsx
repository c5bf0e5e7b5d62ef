import { Avatar, Text } from "@mantine/core";
import { useMe } from "../shared/session.ts";
import { MenuButton } from "./menu-button.tsx";

const load = () => import("./profile-menu.tsx");

/** The signed-in person, with a menu. */
export function Profile() {
  const { user } = useMe();
  return (
    <MenuButton load={load}>
      <Avatar size={26} radius="xl" color="green" aria-hidden>
        {user.email.slice(0, 1).toUpperCase()}
      </Avatar>
      <Text size="sm" truncate flex={1} title={user.email}>
        {user.email}
      </Text>
    </MenuButton>
  );
}

import { ScrollArea, Stack, Text } from "@mantine/core";
import { NavLink } from "react-router";
import { type PageEntry, pages } from "../pages/registry.ts";
import { type Me, useMe } from "../shared/session.ts";
import { useLanguage } from "../shared/words.ts";
import { useShellWords } from "./words.ts";

/** Whether the person may see the page. */
export const mayOpen = ({ scope, roles, isOperators }: PageEntry, me: Me): boolean =>
  (scope === undefined || me.scopes.has(scope)) &&
  (roles === undefined || roles.includes(me.role)) &&
  (!isOperators || me.user.app_metadata.operator);

const groups = ["work", "build", "account", "operator"] as const;

/** The pages that the person may open, in their groups. `onLeave`: called when one is chosen. */
export function Navigation({ onLeave }: { readonly onLeave: () => void }) {
  const say = useShellWords();
  const { language } = useLanguage();
  const me = useMe();
  const shown = pages.filter((page) => mayOpen(page, me));
  const listed = groups.map((group) => ({ group, entries: shown.filter(({ nav }) => nav?.group === group) }));
  return (
    <ScrollArea flex={1} type="auto" scrollbarSize={6}>
      <Stack gap="md">
        {listed
          .filter(({ entries }) => entries.length > 0)
          .map(({ group, entries }) => (
            <Stack key={group} gap={2}>
              <Text size="xs" c="dimmed" px={10} pb={2}>
                {say(`group_${group}`)}
              </Text>
              {entries.map(({ path, title, nav }) => (
                <NavLink key={path} to={`/${path}`} end={path === ""} className="navigation-link" onClick={onLeave}>
                  {nav && <nav.icon size={17} stroke={1.7} />}
                  {title[language]}
                </NavLink>
              ))}
            </Stack>
          ))}
      </Stack>
    </ScrollArea>
  );
}

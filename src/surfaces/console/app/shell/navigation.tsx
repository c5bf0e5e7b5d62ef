import { NavLink } from "react-router";
import { type PageEntry, pages } from "../pages/registry.ts";
import { type Me, useMe } from "../shared/session.ts";
import { useLanguage } from "../shared/words.ts";
import { useShellWords } from "./words.ts";

/** Whether the person may open the page. */
export const mayOpen = ({ scope, roles, isOperators }: PageEntry, me: Me): boolean =>
  (scope === undefined || me.scopes.has(scope)) &&
  (roles === undefined || roles.includes(me.role)) &&
  (!isOperators || me.user.app_metadata.operator);

const groups = ["work", "build", "account", "operator"] as const;

/** The pages that the person may open, by group. `onLeave` is called when one is chosen. */
export function Navigation({ onLeave }: { readonly onLeave: () => void }) {
  const say = useShellWords();
  const { language } = useLanguage();
  const me = useMe();
  const shown = pages.filter((page) => mayOpen(page, me));
  const listed = groups.map((group) => ({ group, entries: shown.filter(({ nav }) => nav?.group === group) }));
  return (
    <div className="navigation-pages">
      {listed
        .filter(({ entries }) => entries.length > 0)
        .map(({ group, entries }) => (
          <div key={group} className="navigation-group">
            <div className="navigation-name">{say(`group_${group}`)}</div>
            {entries.map(({ path, title, nav }) => (
              <NavLink key={path} to={`/${path}`} end={path === ""} className="navigation-link" onClick={onLeave}>
                {nav && <nav.icon size={17} stroke={1.7} />}
                {title[language]}
              </NavLink>
            ))}
          </div>
        ))}
    </div>
  );
}

import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { ChangeEvent } from "react";
import { useSearchParams } from "react-router";
import { useMe } from "../../shared/session.ts";
import { type RunFilter, useCatalogueNames } from "./queries.ts";
import { useWords } from "./words.ts";

const statuses = ["queued", "running", "awaiting_approval", "succeeded", "failed", "refused"] as const;
const day = /^\d{4}-\d\d-\d\d$/;

/** Parses the filters in a page's address, so that a filtered list can be linked. */
export function filterOf(search: URLSearchParams): RunFilter {
  const status = statuses.find((one) => one === search.get("status"));
  const [kind, slug] = (search.get("what") ?? "").split(":");
  const workspace_id = search.get("workspace");
  const [from, to] = [search.get("from"), search.get("to")];
  return {
    ...(status && { status }),
    ...(slug && kind === "capability" && { capability: slug }),
    ...(slug && kind === "use_case" && { use_case: slug }),
    ...(workspace_id && { workspace_id }),
    ...(from && day.test(from) && { from }),
    ...(to && day.test(to) && { to }),
  };
}

/** Returns the filters in the current address. */
export const useRunFilter = (): RunFilter => filterOf(useSearchParams()[0]);

/** Returns a function that sets or clears a parameter of the address. */
function useParameter() {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string): void =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === "") after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return {
    bind: (name: string) => ({
      value: search.get(name) ?? "",
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => set(name, event.currentTarget.value),
    }),
    any: [...search.keys()].length > 0,
    clear: () => setSearch({}, { replace: true }),
  };
}

/** The filters above the list: status, what was run, workspace, days. */
export function RunFilters() {
  const say = useWords();
  const { workspaces } = useMe();
  const { data } = useCatalogueNames();
  const { bind, any, clear } = useParameter();
  const what = [
    { value: "", label: say("any_what") },
    {
      group: say("capabilities"),
      items: (data?.capabilities ?? []).map(({ slug, name }) => ({ value: `capability:${slug}`, label: name })),
    },
    {
      group: say("use_cases"),
      items: (data?.useCases ?? []).map(({ slug, name }) => ({ value: `use_case:${slug}`, label: name })),
    },
  ];
  const status = [
    { value: "", label: say("any_status") },
    ...statuses.map((one) => ({ value: one, label: say(`status_${one}`) })),
  ];
  const places = [
    { value: "", label: say("all_workspaces") },
    ...workspaces.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <div className="filters">
      <NativeSelect label={say("status")} data={status} size="sm" {...bind("status")} />
      <NativeSelect label={say("what")} data={what} size="sm" maw={240} {...bind("what")} />
      {workspaces.length > 1 && (
        <NativeSelect label={say("workspace")} data={places} size="sm" {...bind("workspace")} />
      )}
      <TextInput type="date" label={say("from")} size="sm" {...bind("from")} />
      <TextInput type="date" label={say("to")} size="sm" {...bind("to")} />
      {any && (
        <Button variant="subtle" size="sm" onClick={clear}>
          {say("clear")}
        </Button>
      )}
    </div>
  );
}

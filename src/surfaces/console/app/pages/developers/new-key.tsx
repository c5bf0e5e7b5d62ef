import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { scopeWords } from "../../../../../accounts/pages/words/scopes.ts";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { useCommonWords } from "../../shared/common-words.ts";
import { Dialog } from "../../shared/dialog.tsx";
import { useMe, useWorkspace } from "../../shared/session.ts";
import { Failed, Loaded, useRefusal } from "../../shared/states.tsx";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

type Scope = Schemas["DeveloperApiKeyCreateRequest"]["scopes"][number];

/** The scopes that most keys need: to find, start, read and pay for runs. */
const usual: readonly string[] = [
  "capabilities:read",
  "capabilities:run",
  "use-cases:run",
  "runs:read",
  "account:read",
];

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface ScopesProps {
  readonly chosen: ReadonlySet<string>;
  choose(chosen: ReadonlySet<string>): void;
  readonly isMissing: boolean;
}

/** The scopes that the person may grant, with the description of each. */
function Scopes({ chosen, choose, isMissing }: ScopesProps) {
  const say = useWords();
  const { language } = useLanguage();
  const query = useQuery({ queryKey: ["scopes"], queryFn: () => bodyOf(api.GET("/v1/developer/scopes")) });
  return (
    <Loaded query={query}>
      {(scopes) => {
        const grantable = scopes.filter((scope) => scope.grantable);
        const among = (names: readonly string[]): void =>
          choose(new Set(grantable.map(({ name }) => name).filter((name) => names.includes(name))));
        return (
          <Checkbox.Group
            label={say("scopes")}
            required
            error={isMissing && say("scopes_wanted")}
            value={[...chosen]}
            onChange={(names) => choose(new Set(names))}
          >
            <Group gap="xs" my={6}>
              <Button size="compact-sm" variant="light" onClick={() => among(usual)}>
                {say("usual")}
              </Button>
              <Button size="compact-sm" variant="light" onClick={() => among(grantable.map(({ name }) => name))}>
                {say("all")}
              </Button>
            </Group>
            <Stack gap={8} mah={260} className="scrolled">
              {grantable.map(({ name }) => (
                <Checkbox
                  key={name}
                  value={name}
                  label={<Text size="sm">{capitalised(scopeWords(language, name))}</Text>}
                  description={<code>{name}</code>}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        );
      }}
    </Loaded>
  );
}

interface NewKeyProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  made(key: Schemas["CreatedApiKey"]): void;
}

/** Returns the fields of a new key and the mutation that creates it. */
function useNewKey(made: (key: Schemas["CreatedApiKey"]) => void) {
  const queries = useQueryClient();
  const { workspace } = useWorkspace();
  const [name, setName] = useState("");
  const [workspace_id, setWorkspace] = useState(workspace?.id ?? "");
  const [expires, setExpires] = useState("");
  const [scopes, choose] = useState<ReadonlySet<string>>(new Set());
  const creation = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/developer/api-keys", {
          body: {
            name,
            workspace_id,
            scopes: [...scopes] as Scope[],
            ...(expires !== "" && { expires_at: new Date(expires).toISOString() }),
          },
        }),
      ),
    onSuccess(key) {
      void queries.invalidateQueries({ queryKey: ["keys"] });
      setName("");
      made(key);
    },
  });
  return { name, setName, workspace_id, setWorkspace, expires, setExpires, scopes, choose, creation };
}

/** The dialog to create a key. It keeps its input when it is closed and reopened. */
export function NewKey({ isOpen, close, made }: NewKeyProps) {
  const say = useWords();
  const common = useCommonWords();
  const refusalOf = useRefusal();
  const { workspaces } = useMe();
  const [isSubmitted, setSubmitted] = useState(false);
  const { creation, ...key } = useNewKey((created) => {
    made(created);
    close();
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isComplete = key.scopes.size > 0;
    setSubmitted(!isComplete);
    if (isComplete) creation.mutate();
  };
  return (
    <Dialog isOpen={isOpen} close={close} title={say("new_key")} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={say("name")}
            description={say("name_text")}
            required
            data-autofocus
            value={key.name}
            onChange={(event) => key.setName(event.currentTarget.value)}
          />
          <Select
            label={say("workspace")}
            description={say("workspace_text")}
            required
            allowDeselect={false}
            data={workspaces.map((one) => ({ value: one.id, label: one.name }))}
            value={key.workspace_id}
            onChange={(id) => key.setWorkspace(id ?? key.workspace_id)}
          />
          <Scopes chosen={key.scopes} choose={key.choose} isMissing={isSubmitted && key.scopes.size === 0} />
          <TextInput
            type="datetime-local"
            label={say("expires")}
            description={say("expires_text")}
            error={refusalOf(creation.error, "expires_at")}
            value={key.expires}
            onChange={(event) => key.setExpires(event.currentTarget.value)}
          />
          {creation.isError && <Failed error={creation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common("cancel")}
            </Button>
            <Button type="submit" loading={creation.isPending}>
              {say("create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

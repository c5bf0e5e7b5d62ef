import { Alert, Button, Center, Group, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from "@mantine/core";
import { IconAlertTriangle, IconInbox, IconLock, IconMapOff } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { ApiError } from "./api.ts";
import { isCommonWord, useCommonWords } from "./common-words.ts";
import { asSentence, useOwnWords } from "./own-words.ts";

interface StateProps {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly title: string;
  readonly text?: ReactNode;
  /** Whether it fills the whole page and is its title. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** A centred message in place of content: why there is none, and what to do next. */
export function State({ icon: Icon, title, text, isPage = false, children }: StateProps) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <ThemeIcon variant="light" color="gray" size={44} radius="xl" aria-hidden>
          <Icon size={22} stroke={1.6} />
        </ThemeIcon>
        <Title order={isPage ? 1 : 2} size="h4">
          {title}
        </Title>
        {text !== undefined && <Text c="dimmed">{text}</Text>}
        {children}
      </Stack>
    </Center>
  );
}

/** The empty state of a list. `children` is the action that creates the first entry. */
export function Empty({ title, text, icon = IconInbox, children }: Partial<StateProps>) {
  const say = useCommonWords();
  return (
    <State icon={icon} title={title ?? say("none_yet")} text={text}>
      {children}
    </State>
  );
}

interface NoPermissionProps extends Pick<StateProps, "isPage"> {
  /** Whether the page is for operators, so that no role gives access. */
  readonly isOperators?: boolean;
}

/** The message for people whose role does not give access. */
export function NoPermission({ isPage = false, isOperators = false }: NoPermissionProps) {
  const say = useCommonWords();
  const text = say(isOperators ? "no_operator_text" : "no_permission_text");
  return <State icon={IconLock} isPage={isPage} title={say("no_permission")} text={text} />;
}

/** A loading skeleton in the shape of the content, to avoid layout shifts. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  const say = useCommonWords();
  return (
    <Stack gap="sm" aria-busy="true" role="status">
      <VisuallyHidden>{say("loading")}</VisuallyHidden>
      {Array.from({ length: lines }, (_, i) => i).map((line) => (
        <Skeleton key={line} height={18} radius="sm" width={line % 3 === 2 ? "60%" : "100%"} />
      ))}
    </Stack>
  );
}

/** The page for unknown addresses and resources. */
export function NotFound() {
  const say = useCommonWords();
  const title = say("not_found");
  useEffect(() => {
    document.title = `${title} · Assay`;
  }, [title]);
  return (
    <State icon={IconMapOff} isPage title={title} text={say("not_found_text")}>
      <Button component={Link} to="/" variant="default" mt="xs">
        {say("to_home")}
      </Button>
    </State>
  );
}

/** Whether the resource can't exist: its id is unknown or malformed. */
export const isNowhere = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code === "not_found" || error.details.some(({ path }) => path.startsWith("/path/")));

/** Returns a function that returns the server's message about a field of the request; undefined if there is none. */
export function useRefusal(): (error: unknown, field: string) => string | undefined {
  const { own } = useOwnWords();
  return (error, field) => {
    if (!(error instanceof ApiError)) return undefined;
    const refused = error.details.find(({ path }) => path.split("/").includes(field));
    return refused && asSentence(own(refused.message));
  };
}

/** Returns the name of the member at a path in a request: `/body/input/countries/1` as `countries`. */
const memberIn = (path: string): string =>
  path.split("/").findLast((part) => part !== "" && !/^(?:body|input|query|path|header|\d+)$/.test(part)) ?? "";

/**
 * Returns a function that describes an error: in the reader's language if there is a translation, else with the
 * server's message.
 */
export function useErrorText(): (error: unknown) => string {
  const say = useCommonWords();
  return (error) => {
    if (!(error instanceof ApiError)) return say("unexpected");
    return isCommonWord(error.code) ? say(error.code) : error.message;
  };
}

interface FailedProps extends Pick<StateProps, "isPage"> {
  readonly error: unknown;
  readonly retry?: () => void;
}

/** An error in place of content, with a button to retry if `retry` is given. */
export function Failed({ error, retry, isPage = false }: FailedProps) {
  const say = useCommonWords();
  const textOf = useErrorText();
  const { nameOf, own } = useOwnWords();
  const isMissing = isNowhere(error);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In newer browsers this returns a promise, which must not become the effect's cleanup function.
    void box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  if (error instanceof ApiError && error.status === 403) return <NoPermission isPage={isPage} />;
  if (isPage && isMissing) return <NotFound />;
  const title = isPage ? (
    <Title order={1} size="h4" c="inherit">
      {say("failed")}
    </Title>
  ) : (
    say(isMissing ? "not_found" : "failed")
  );
  const { code, details = [], requestId = null } = error instanceof ApiError ? error : {};
  const problems = details.map(({ path, message }) => {
    const name = memberIn(path);
    return { path, text: asSentence((name === "" ? "" : `${nameOf(name)}: `) + own(message)) };
  });
  // The problems say more than that there are some.
  const isListed = code === "validation_error" && problems.length > 0;
  return (
    <Alert ref={box} color="red" variant="light" icon={<IconAlertTriangle size={18} />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        {isMissing && <Text size="sm">{say("not_found_text")}</Text>}
        {!isMissing && !isListed && <Text size="sm">{textOf(error)}</Text>}
        {!isMissing &&
          problems.map(({ path, text }) => (
            <Text key={path} size="sm">
              {text}
            </Text>
          ))}
        <Group gap="md">
          {retry && !isMissing && (
            <Button size="xs" variant="default" onClick={retry}>
              {say("retry")}
            </Button>
          )}
          {requestId !== null && (
            <Text size="xs" c="dimmed">
              {say("request_id", { id: requestId })}
            </Text>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

interface LoadedProps<T> extends Pick<StateProps, "isPage"> {
  readonly query: Pick<UseQueryResult<T>, "data" | "isError" | "error"> & { refetch(): Promise<unknown> };
  /** The loading skeleton; lines by default. */
  readonly loading?: ReactNode;
  children(data: T): ReactNode;
}

/** The result of a query, or its state: loading, denied, failed. Earlier data stays visible during a refetch. */
export function Loaded<T>({ query, loading = <Loading />, isPage = false, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <Failed isPage={isPage} error={query.error} retry={() => void query.refetch()} />;
  return loading;
}

import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";
import { ApiError } from "../shared/api.ts";
import { useCommonWords } from "../shared/common-words.ts";
import { NoPermission, State, useErrorText } from "../shared/states.tsx";

function Fault({ error }: { readonly error: unknown }) {
  const say = useCommonWords();
  const textOf = useErrorText();
  if (error instanceof ApiError && error.status === 403) return <NoPermission isPage />;
  const [title, text] =
    error instanceof ApiError ? [say("failed"), textOf(error)] : [say("broken"), say("broken_text")];
  return (
    <State icon={IconAlertTriangle} isPage title={title} text={text}>
      <Button variant="default" mt="xs" onClick={() => location.reload()}>
        {say("reload")}
      </Button>
    </State>
  );
}

interface FaultBoundaryProps {
  /** The address. A change of address resets the error. */
  readonly at: string;
  readonly children: ReactNode;
}

interface Caught {
  readonly at: string;
  readonly caught: { readonly error: unknown } | null;
}

/** Shows an error thrown by a page in its place; the navigation keeps working. */
export class FaultBoundary extends Component<FaultBoundaryProps, Caught> {
  override state: Caught = { at: this.props.at, caught: null };

  static getDerivedStateFromError(error: unknown): Pick<Caught, "caught"> {
    return { caught: { error } };
  }

  static getDerivedStateFromProps({ at }: FaultBoundaryProps, state: Caught): Caught | null {
    return state.at === at ? null : { at, caught: null };
  }

  override render(): ReactNode {
    const { caught } = this.state;
    return caught ? <Fault error={caught.error} /> : this.props.children;
  }
}

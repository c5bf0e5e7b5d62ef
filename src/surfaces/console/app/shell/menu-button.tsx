import { UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useMemo, useState } from "react";

interface MenuButtonProps {
  /** Loads the menu, which opens at once around the given button. */
  load(): Promise<{ readonly default: ComponentType<{ readonly target: ReactElement }> }>;
  readonly children: ReactNode;
}

/** Focuses the button that replaces the pressed one, so that the keyboard stays on it and returns to it. */
const focused = (button: HTMLButtonElement | null): void => button?.focus();

/** A button with a menu that is loaded when the button is hovered, focused or pressed. */
export function MenuButton({ load, children }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const Opened = useMemo(() => lazy(load), [load]);
  // A failure shows when the menu is opened.
  const fetchAhead = () => void load().catch(() => undefined);
  const content = (
    <>
      {children}
      <IconSelector size={15} aria-hidden />
    </>
  );
  const shown = { className: "navigation-link", w: "100%", mih: 44, children: content };
  const closed = (
    <UnstyledButton
      {...shown}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={fetchAhead}
      onFocus={fetchAhead}
      onClick={() => setWanted(true)}
    />
  );
  if (!isWanted) return closed;
  return (
    <Suspense fallback={closed}>
      <Opened target={<UnstyledButton {...shown} ref={focused} />} />
    </Suspense>
  );
}

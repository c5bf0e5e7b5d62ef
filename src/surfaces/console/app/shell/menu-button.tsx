import { UnstyledButton } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { type ComponentType, lazy, type ReactElement, type ReactNode, Suspense, useMemo, useState } from "react";

interface MenuButtonProps {
  /** What fetches the menu, which opens at once around the button that it is given. */
  load(): Promise<{ readonly default: ComponentType<{ readonly target: ReactElement }> }>;
  readonly children: ReactNode;
}

/** For the button that takes the place of the one that was pressed: the keyboard stays on it, and comes back to it. */
const focused = (button: HTMLButtonElement | null): void => button?.focus();

/** A button with a menu, which is fetched when somebody reaches for it: nobody needs it to see a page. */
export function MenuButton({ load, children }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false);
  const Opened = useMemo(() => lazy(load), [load]);
  // Whether it could be fetched is seen when it is opened.
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

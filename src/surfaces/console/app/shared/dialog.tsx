import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useCommonWords } from "./common-words.ts";

interface DialogProps {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly title: string;
  readonly size?: "md" | "lg";
  readonly children: ReactNode;
}

/** A modal dialog. Escape and a click outside close it. */
export function Dialog({ isOpen, close, title, size = "md", children }: DialogProps) {
  const say = useCommonWords();
  return (
    <Modal opened={isOpen} onClose={close} title={title} size={size} closeButtonProps={{ "aria-label": say("close") }}>
      {children}
    </Modal>
  );
}

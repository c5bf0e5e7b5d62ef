import { MantineThemeProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { useCommonWords } from "../shared/common-words.ts";

/** The place where toasts appear. */
export default function Toasts() {
  const say = useCommonWords();
  const named = { defaultProps: { closeButtonProps: { "aria-label": say("close") } } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: named } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}

import { MantineThemeProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { useCommonWords } from "../shared/common-words.ts";

/** Where what `toast` says is shown. */
export default function Toasts() {
  const say = useCommonWords();
  const named = { defaultProps: { closeButtonProps: { "aria-label": say("close") } } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: named } }}>
      <Notifications position="bottom-right" />
    </MantineThemeProvider>
  );
}

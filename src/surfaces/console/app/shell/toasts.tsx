import { Notifications } from "@mantine/notifications";

/** Where what `toast` says is shown. */
export default function Toasts() {
  return <Notifications position="bottom-right" />;
}

import { Menu, useMantineColorScheme } from "@mantine/core";
import { IconBook, IconLogout, IconUser } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { Link } from "react-router";
import { installedAt } from "../shared/browser.ts";
import { isLanguage, languages } from "../shared/languages.ts";
import { signOut } from "../shared/session.ts";
import { useErrorText } from "../shared/states.tsx";
import { toast } from "../shared/toast.ts";
import { useLanguage } from "../shared/words.ts";
import { useOpened } from "./opened.ts";
import { useShellWords } from "./words.ts";

const schemes = ["auto", "light", "dark"] as const;

function LanguageItems() {
  const say = useShellWords();
  const { language, choose } = useLanguage();
  return (
    <>
      <Menu.Label>{say("language")}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(tag) => isLanguage(tag) && choose(tag)}>
        {Object.entries(languages).map(([tag, name]) => (
          <Menu.RadioItem key={tag} value={tag} lang={tag}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function SchemeItems() {
  const say = useShellWords();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (name: string): void => setColorScheme(schemes.find((scheme) => scheme === name) ?? "auto");
  return (
    <>
      <Menu.Label>{say("scheme")}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={choose}>
        {schemes.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {say(`scheme_${scheme}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

/** The person's language, colour scheme and sign-out. */
export default function ProfileMenu({ target }: { readonly target: ReactElement }) {
  const say = useShellWords();
  const textOf = useErrorText();
  return (
    <Menu position="top-start" width={228} {...useOpened()}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={15} />} component={Link} to="/account">
          {say("account")}
        </Menu.Item>
        <Menu.Item leftSection={<IconBook size={15} />} component="a" href={`${installedAt}/docs`}>
          {say("docs")}
        </Menu.Item>
        <LanguageItems />
        <SchemeItems />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} />}
          onClick={() => signOut().catch((error: unknown) => toast.failed(textOf(error)))}
        >
          {say("sign_out")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

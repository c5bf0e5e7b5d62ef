import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconBook, IconLogout, IconSelector, IconUser } from "@tabler/icons-react";
import { Link } from "react-router";
import { installedAt } from "../shared/browser.ts";
import { isLanguage, languages } from "../shared/languages.ts";
import { signOut, useMe } from "../shared/session.ts";
import { useErrorText } from "../shared/states.tsx";
import { toast } from "../shared/toast.ts";
import { useLanguage } from "../shared/words.ts";
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

/** Who is signed in; their language, colours and way out. */
export function ProfileMenu() {
  const say = useShellWords();
  const textOf = useErrorText();
  const { user } = useMe();
  return (
    <Menu position="top-start" width={228}>
      <Menu.Target>
        <UnstyledButton className="navigation-link" w="100%" mih={44}>
          <Avatar size={26} radius="xl" color="green" aria-hidden>
            {user.email.slice(0, 1).toUpperCase()}
          </Avatar>
          <Text size="sm" truncate flex={1} title={user.email}>
            {user.email}
          </Text>
          <IconSelector size={15} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
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

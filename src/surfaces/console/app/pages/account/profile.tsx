import { PasswordInput, Select, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf } from "../../shared/api.ts";
import { useMe } from "../../shared/session.ts";
import { toast } from "../../shared/toast.ts";
import { Form } from "./form.tsx";
import { useWords } from "./words.ts";

/** Languages in which mails are sent. */
const mailLanguages = [
  { value: "en", label: "English" },
  { value: "cs", label: "Čeština" },
  { value: "sk", label: "Slovenčina" },
  { value: "de", label: "Deutsch" },
];

/** Returns the editable profile fields and the mutation that saves them. */
function useProfile() {
  const say = useWords();
  const queries = useQueryClient();
  const { user } = useMe();
  const [full_name, setName] = useState(user.full_name ?? "");
  const [email, setEmail] = useState(user.email);
  const [locale, setLocale] = useState(user.locale.split("-")[0] ?? "en");
  const [current_password, setPassword] = useState("");
  const isNewAddress = email.trim() !== user.email;
  const change = useMutation({
    mutationFn: () =>
      bodyOf(
        api.PATCH("/auth/v1/user", {
          body: {
            locale,
            ...(full_name.trim() !== "" && { full_name }),
            ...(isNewAddress && { email: email.trim(), ...(current_password !== "" && { current_password }) }),
          },
        }),
      ),
    onSuccess() {
      setPassword("");
      toast.done(say("saved"));
      return queries.invalidateQueries({ queryKey: ["me"] });
    },
  });
  const values = { full_name, email, locale, current_password, isNewAddress };
  return { ...values, setName, setEmail, setLocale, setPassword, change };
}

/** The signed-in person's name, address and language. */
export function Profile() {
  const say = useWords();
  const { full_name, email, locale, current_password, isNewAddress, change, ...set } = useProfile();
  return (
    <Form title={say("profile")} action={say("save")} change={change}>
      <TextInput
        label={say("full_name")}
        autoComplete="name"
        value={full_name}
        onChange={(event) => set.setName(event.currentTarget.value)}
      />
      <TextInput
        label={say("email")}
        description={say("email_text")}
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => set.setEmail(event.currentTarget.value)}
      />
      {isNewAddress && (
        <PasswordInput
          label={say("current")}
          autoComplete="current-password"
          value={current_password}
          onChange={(event) => set.setPassword(event.currentTarget.value)}
        />
      )}
      <Select
        label={say("language")}
        allowDeselect={false}
        data={mailLanguages}
        value={locale}
        onChange={(tag) => set.setLocale(tag ?? locale)}
      />
    </Form>
  );
}

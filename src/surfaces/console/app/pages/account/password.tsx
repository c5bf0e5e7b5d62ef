import { PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, bodyOf } from "../../shared/api.ts";
import { toast } from "../../shared/toast.ts";
import { Form } from "./form.tsx";
import { useWords } from "./words.ts";

/** The form to change one's password. Asks for the current one. */
export function Password() {
  const say = useWords();
  const queries = useQueryClient();
  const [current_password, setCurrent] = useState("");
  const [password, setNew] = useState("");
  const change = useMutation({
    mutationFn: () => bodyOf(api.PATCH("/auth/v1/user", { body: { password, current_password } })),
    onSuccess() {
      setCurrent("");
      setNew("");
      toast.done(say("password_changed"));
      return queries.invalidateQueries({ queryKey: ["sessions"] });
    },
  });
  return (
    <Form title={say("password")} action={say("change_password")} variant="default" change={change}>
      <PasswordInput
        label={say("current")}
        autoComplete="current-password"
        required
        value={current_password}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordInput
        label={say("new")}
        description={say("new_text")}
        autoComplete="new-password"
        required
        minLength={12}
        value={password}
        onChange={(event) => setNew(event.currentTarget.value)}
      />
    </Form>
  );
}

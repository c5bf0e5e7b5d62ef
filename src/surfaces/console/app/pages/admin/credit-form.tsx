import { Button, Group, Select, Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { flushSync } from "react-dom";
import { api, bodyOf, type Schemas } from "../../shared/api.ts";
import { freshKey } from "../../shared/browser.ts";
import { NumberField } from "../../shared/number-field.tsx";
import { Failed } from "../../shared/states.tsx";
import { toast } from "../../shared/toast.ts";
import { typedNumber } from "../../shared/typed-number.ts";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

/** The server's maximum for one change, in credits. */
const mostCredits = 1_000_000_000_000;
const kinds = ["grant", "topup", "adjust"] as const;
type Kind = Schemas["OperatorCreditChange"]["kind"];

/**
 * Returns the mutation that changes credits. Its idempotency key makes it safe to press the button again, even when no
 * response arrived. `onDone` is called after a successful change.
 */
function useChange(firm_id: string, onDone: () => void) {
  const say = useWords();
  const queries = useQueryClient();
  const [key, setKey] = useState(freshKey);
  const change = useMutation({
    mutationFn: (body: Schemas["OperatorCreditChange"]) =>
      bodyOf(
        api.POST("/v1/operator/firms/{firm_id}/credits", {
          params: { path: { firm_id }, header: { "Idempotency-Key": key } },
          body,
        }),
      ),
    onSuccess() {
      // Clear the form before the message appears, so that what is typed next is kept.
      flushSync(() => {
        onDone();
        setKey(freshKey());
      });
      toast.done(say("credits_changed"));
      return queries.invalidateQueries({ queryKey: ["operator"] });
    },
  });
  /** Starts a new idempotency key: the next submission is a different change. */
  const renew = (): void => setKey(freshKey());
  return { change, renew };
}

/** The form to grant, top up or correct a firm's credits. */
export function CreditForm({ firm_id }: { readonly firm_id: string }) {
  const say = useWords();
  const [kind, setKind] = useState<Kind>("grant");
  const { language } = useLanguage();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const { change, renew } = useChange(firm_id, () => {
    setTyped("");
    setReason("");
  });
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T): void => {
      set(value);
      renew();
    };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const credits = typedNumber(typed, language);
    if (credits !== undefined) change.mutate({ kind, credits, reason });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <Select
            label={say("kind")}
            w={130}
            allowDeselect={false}
            data={kinds.map((value) => ({ value, label: say(value) }))}
            value={kind}
            onChange={(value) => changed(setKind)(kinds.find((known) => known === value) ?? kind)}
          />
          <NumberField
            label={say("amount")}
            w={140}
            required
            min={kind === "adjust" ? -mostCredits : 1}
            max={mostCredits}
            tooSmall={kind === "adjust" ? undefined : say("credits_given", { adjust: say("adjust") })}
            typed={typed}
            type={changed(setTyped)}
          />
          <TextInput
            label={say("reason")}
            description={say("reason_text")}
            inputWrapperOrder={["label", "input", "description", "error"]}
            flex="1 1 220px"
            required
            value={reason}
            onChange={(event) => changed(setReason)(event.currentTarget.value)}
          />
        </Group>
        {change.isError && <Failed error={change.error} />}
        <Group>
          <Button type="submit" loading={change.isPending}>
            {say("change_credits")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

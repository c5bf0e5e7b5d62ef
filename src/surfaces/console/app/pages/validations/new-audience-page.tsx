import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { api, bodyOf } from "../../shared/api.ts";
import { Back } from "../../shared/back.tsx";
import { NumberField } from "../../shared/number-field.tsx";
import { Page } from "../../shared/page.tsx";
import { Failed } from "../../shared/states.tsx";
import { typedNumber } from "../../shared/typed-number.ts";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

/** What an audience is described by, and describing it: it opens when it is there. */
function useNewAudience() {
  const queries = useQueryClient();
  const go = useNavigate();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [market, setMarket] = useState("");
  const { language } = useLanguage();
  const [size, setSize] = useState("10");
  const creation = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/validator/audiences", {
          body: { name, description, size: typedNumber(size, language) ?? 0, ...(market.trim() !== "" && { market }) },
        }),
      ),
    async onSuccess({ audience_id }) {
      void queries.invalidateQueries({ queryKey: ["audiences"] });
      await go(`/validations/audiences/${audience_id}`);
    },
  });
  return { name, setName, description, setDescription, market, setMarket, size, setSize, creation };
}

/** Describes whom to ask. */
export default function NewAudiencePage() {
  const say = useWords();
  const { creation, ...audience } = useNewAudience();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Page
      title={say("new_audience")}
      lead={say("audiences_none_text")}
      width={820}
      above={<Back to="/validations">{say("back")}</Back>}
    >
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label={say("name")}
            required
            value={audience.name}
            onChange={(event) => audience.setName(event.currentTarget.value)}
          />
          <Textarea
            label={say("who")}
            description={say("who_text")}
            required
            autosize
            minRows={3}
            value={audience.description}
            onChange={(event) => audience.setDescription(event.currentTarget.value)}
          />
          <TextInput
            label={say("market")}
            description={say("market_text")}
            value={audience.market}
            onChange={(event) => audience.setMarket(event.currentTarget.value)}
          />
          <NumberField
            label={say("personas")}
            description={say("personas_text")}
            required
            min={5}
            max={50}
            typed={audience.size}
            type={audience.setSize}
          />
          {creation.isError && <Failed error={creation.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={creation.isPending}>
              {say("create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

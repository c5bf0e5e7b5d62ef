import { Button, Group, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useNavigate } from "react-router";
import { marketCodes } from "../../../../../products/validator/markets.ts";
import { api, bodyOf } from "../../shared/api.ts";
import { Back } from "../../shared/back.tsx";
import { useCountryName } from "../../shared/country-name.ts";
import { useDraft } from "../../shared/draft.ts";
import { NumberField } from "../../shared/number-field.tsx";
import { Page } from "../../shared/page.tsx";
import { Failed } from "../../shared/states.tsx";
import { typedNumber } from "../../shared/typed-number.ts";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

/** Returns the fields of a new audience and the mutation that creates it and opens its page. */
function useNewAudience() {
  const queries = useQueryClient();
  const go = useNavigate();
  const { language } = useLanguage();
  const { form, change, forget } = useDraft("audience", { name: "", description: "", market: "EU", size: "10" });
  const { name, description, market, size } = form;
  const creation = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST("/v1/validator/audiences", {
          body: { name, description, size: typedNumber(size, language) ?? 0, market },
        }),
      ),
    async onSuccess({ audience_id }) {
      forget();
      void queries.invalidateQueries({ queryKey: ["audiences"] });
      await go(`/validations/audiences/${audience_id}`);
    },
  });
  return { form, type: (typed: Partial<typeof form>) => change({ ...form, ...typed }), creation };
}

/** The page to describe a new audience. */
export default function NewAudiencePage() {
  const say = useWords();
  const { creation, form, type } = useNewAudience();
  const countryName = useCountryName();
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
            value={form.name}
            onChange={(event) => type({ name: event.currentTarget.value })}
          />
          <Textarea
            label={say("who")}
            description={say("who_text")}
            required
            autosize
            minRows={3}
            value={form.description}
            onChange={(event) => type({ description: event.currentTarget.value })}
          />
          <Select
            label={say("market")}
            description={say("market_text")}
            searchable
            allowDeselect={false}
            data={marketCodes.map((value) => ({ value, label: countryName(value) }))}
            value={form.market}
            onChange={(code) => type({ market: code ?? form.market })}
          />
          <NumberField
            label={say("personas")}
            description={say("personas_text")}
            required
            min={5}
            max={50}
            typed={form.size}
            type={(size) => type({ size })}
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

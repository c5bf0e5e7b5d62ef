import { Autocomplete, Group, Select, Stack, TextInput } from "@mantine/core";
import type { Schemas } from "../../shared/api.ts";
import { useCountryName } from "../../shared/country-name.ts";
import { useOwnWords } from "../../shared/own-words.ts";
import { useLanguage } from "../../shared/words.ts";
import { useWords } from "./words.ts";

/** The facts shared by all files of one upload. Empty means not stated. */
export const noFacts = {
  market: "",
  document_type: "",
  carrier: "",
  product_line: "",
  provenance: "",
  language: "",
  version: "",
  valid_from: "",
  valid_to: "",
};
export type Facts = typeof noFacts;

const markets =
  "AT BE BG CH CY CZ DE DK EE ES EU FI FR GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK".split(" ");
const languages = "bg cs da de el en es et fi fr ga hr hu is it lt lv mt nl no pl pt ro sk sl sv".split(" ");
const types = ["terms", "ipid", "methodology", "legal_note"] as const;
const origins = ["carrier", "distribution", "sample"] as const;

interface FactsProps {
  readonly facts: Facts;
  /** Whether the files may state all facts themselves. */
  readonly isOptional: boolean;
  /** The existing coverage, for suggesting names. */
  readonly held: Schemas["InsuranceCoverage"]["markets"];
  change(facts: Facts): void;
}

interface FieldProps extends FactsProps {
  /** Notes on the law belong to no provider and apply to every line. */
  readonly isLaw: boolean;
  set(name: keyof Facts): (value: string | null) => void;
}

/** The files' country and type. */
function Kind({ facts, isOptional, set }: FieldProps) {
  const say = useWords();
  const countryName = useCountryName();
  return (
    <div className="columns">
      <Select
        label={say("country")}
        required={!isOptional}
        searchable
        data={markets.map((value) => ({ value, label: countryName(value) }))}
        value={facts.market || null}
        onChange={set("market")}
      />
      <Select
        label={say("type")}
        required={!isOptional}
        data={types.map((value) => ({ value, label: say(`type_${value}`) }))}
        value={facts.document_type || null}
        onChange={set("document_type")}
      />
    </div>
  );
}

/** The files' provider, insurance line and origin. */
function Origin({ facts, isOptional, held, set }: FieldProps) {
  const say = useWords();
  const { nameOf } = useOwnWords();
  const distinct = (names: readonly string[]): string[] => [...new Set(names)].toSorted();
  return (
    <>
      <div className="columns">
        <Autocomplete
          label={say("carrier")}
          required={!isOptional}
          data={distinct(held.flatMap(({ carriers }) => carriers))}
          value={facts.carrier}
          onChange={set("carrier")}
        />
        <Autocomplete
          label={say("product_line")}
          description={say("line_text")}
          required={!isOptional}
          data={distinct(held.flatMap(({ product_lines }) => product_lines))}
          renderOption={({ option }) => nameOf(option.value)}
          value={facts.product_line}
          onChange={set("product_line")}
        />
      </div>
      <Select
        label={say("provenance")}
        required={!isOptional}
        data={origins.map((value) => ({ value, label: say(`origin_${value}`) }))}
        value={facts.provenance || null}
        onChange={set("provenance")}
      />
    </>
  );
}

/** The optional facts. */
function More({ facts, set }: FieldProps) {
  const say = useWords();
  const { language } = useLanguage();
  const names = new Intl.DisplayNames(language, { type: "language" });
  return (
    <Group grow align="flex-end" preventGrowOverflow={false}>
      <Select
        label={say("language")}
        description={say("detected")}
        clearable
        clearButtonProps={{ "aria-label": say("clear") }}
        searchable
        data={languages.map((value) => ({ value, label: names.of(value) ?? value }))}
        value={facts.language || null}
        onChange={set("language")}
      />
      <TextInput
        label={say("version")}
        value={facts.version}
        onChange={(event) => set("version")(event.currentTarget.value)}
      />
      {(["valid_from", "valid_to"] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={say(name)}
          value={facts[name]}
          onChange={(event) => set(name)(event.currentTarget.value)}
        />
      ))}
    </Group>
  );
}

/** The form fields for the shared facts. */
export function FactFields(props: FactsProps) {
  const { facts, change } = props;
  const set = (name: keyof Facts) => (value: string | null) => change({ ...facts, [name]: value ?? "" });
  const isLaw = facts.document_type === "legal_note";
  const fields = { ...props, isLaw, set };
  return (
    <Stack>
      <Kind {...fields} />
      {!isLaw && <Origin {...fields} />}
      <More {...fields} />
    </Stack>
  );
}

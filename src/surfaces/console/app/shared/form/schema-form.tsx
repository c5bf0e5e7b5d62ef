import Form from "@rjsf/mantine";
import { type RJSFSchema, TranslatableString, toErrorSchema, type UiSchema } from "@rjsf/utils";
import { type ReactNode, useMemo } from "react";
import { countryChoices } from "../country-names.ts";
import { useOwnWords } from "../own-words.ts";
import { useLanguage } from "../words.ts";
import { templates } from "./templates.tsx";
import { formValidator } from "./validator.ts";
import { type Keyword, useFormWords } from "./words.ts";

export type FormData = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

/** A problem found by the server, at a path in the data such as `countries`. */
export interface Refused {
  readonly path: string;
  readonly message: string;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

interface Props {
  /** The JSON Schema of an object. */
  readonly schema: Schema;
  readonly data: FormData;
  change(data: FormData): void;
  /** Called with data that the schema accepts. */
  submit(data: FormData): void;
  /** Problems that the server found in the submitted data. */
  readonly refused?: readonly Refused[];
  /** Options of text members, by member name. */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  /** The buttons below the fields. */
  readonly children: ReactNode;
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The texts and options that a form adds to its schema. */
interface Says extends ReturnType<typeof useOwnWords> {
  readonly choices: Readonly<Record<string, readonly Choice[]>>;
  readonly countries: readonly Choice[];
}

/** Whether the member is a country code, as the catalogue's schemas declare it. */
const isCountry = ({ pattern }: Schema): boolean => pattern === "^[A-Za-z]{2}$";

/** Returns the options of a member or of its items; undefined if it is typed freely. */
function choicesOf(name: string, { type, items, ...member }: Schema, { choices, countries }: Says) {
  const one = type === "array" && isSchema(items) ? items : member;
  return isCountry(one) ? countries : choices[name];
}

/** Adds options to a member's schema. A list becomes one field with several values. */
function withChoices(member: Schema, choices: readonly Choice[] | undefined): Schema {
  if (choices === undefined) return member;
  const values = choices.map(({ value }) => value);
  if (member.type !== "array" || !isSchema(member.items)) return { ...member, enum: values };
  return { ...member, uniqueItems: true, items: { ...member.items, enum: values } };
}

/** Translates the members of an object's schema into the reader's language, with titles in place of names. */
function withTitles(schema: Schema, says: Says): Schema {
  const { own, nameOf } = says;
  const { properties, description } = schema;
  const meant = typeof description === "string" ? { description: own(description) } : {};
  if (!isSchema(properties)) return { ...schema, ...meant };
  const titled = Object.entries(properties).map(([name, member]) => {
    if (!isSchema(member)) return [name, member];
    const chosen = choicesOf(name, member, says);
    // A member with options is named without its `_id` suffix, because names are shown.
    const title = nameOf(chosen ? name.replace(/_id$/, "") : name);
    return [name, withTitles({ title, ...withChoices(member, chosen) }, says)];
  });
  return { ...schema, ...meant, properties: Object.fromEntries(titled) };
}

/** Returns the widgets: large fields for long texts, and translated options. */
function looksOf(schema: Schema, says: Says): UiSchema {
  const { own, nameOf } = says;
  const { properties } = schema;
  if (!isSchema(properties)) return {};
  const looks = Object.entries(properties).map(([name, member]) => {
    if (!isSchema(member)) return [name, {}];
    const { type, maxLength, description, format, enum: values } = member;
    const choices = choicesOf(name, member, says)?.map(({ label }) => label);
    if (choices && type === "array") return [name, { "ui:widget": "select", items: { "ui:enumNames": choices } }];
    if (choices) return [name, { "ui:enumNames": choices }];
    if (Array.isArray(values)) return [name, { "ui:enumNames": values.map((value) => nameOf(String(value))) }];
    const isLong = type === "string" && format !== "uri" && Number(maxLength ?? 0) >= 1000;
    const meaning = typeof description === "string" ? own(description) : undefined;
    return [name, isLong ? { "ui:widget": "textarea", "ui:options": { rows: 4, description: meaning } } : {}];
  });
  return Object.fromEntries(looks);
}

/** The library's texts that are translated. */
const ownWords: Readonly<Partial<Record<string, Keyword>>> = {
  [TranslatableString.AddButton]: "add",
  [TranslatableString.AddItemButton]: "add",
  [TranslatableString.RemoveButton]: "remove",
  [TranslatableString.MoveUpButton]: "up",
  [TranslatableString.MoveDownButton]: "down",
  [TranslatableString.CopyButton]: "copy",
  [TranslatableString.ArrayItemTitle]: "item",
  [TranslatableString.ClearLabel]: "clear",
  [TranslatableString.ClearButton]: "clear",
  [TranslatableString.YesLabel]: "yes",
  [TranslatableString.NoLabel]: "no",
};

function wordFor(text: string, say: (word: Keyword) => string): string {
  const word = ownWords[text];
  return word === undefined ? text : say(word);
}

const none = {};

/** Leaves an untouched list undefined: setting it later would clear the errors found so far. */
const defaults = { emptyObjectFields: "skipEmptyDefaults" } as const;

const asError = ({ path, message }: Refused) => ({
  stack: message,
  message,
  property: `.${path.replaceAll("/", ".")}`,
});

/** A form generated from a schema. Input is validated against the schema before it is submitted. */
export default function SchemaForm({ schema, data, refused = [], choices = none, change, submit, children }: Props) {
  const say = useFormWords();
  const validator = useMemo(() => formValidator(say), [say]);
  const words = useOwnWords();
  const { language } = useLanguage();
  const says = useMemo(() => ({ ...words, choices, countries: countryChoices(language) }), [words, choices, language]);
  const shown: RJSFSchema = useMemo(() => ({ ...withTitles(schema, says) }), [schema, says]);
  const looks = useMemo(() => looksOf(schema, says), [schema, says]);
  const refusals = useMemo(() => toErrorSchema(refused.map(asError)), [refused]);
  return (
    <Form
      schema={shown}
      uiSchema={looks}
      formData={data}
      validator={validator}
      extraErrors={refusals}
      experimental_defaultFormStateBehavior={defaults}
      templates={templates}
      translateString={(text) => wordFor(text, say)}
      showErrorList={false}
      noHtml5Validate
      focusOnFirstError
      onError={() => undefined}
      onChange={({ formData }) => change(formData ?? {})}
      onSubmit={({ formData }) => submit(formData ?? {})}
    >
      {children}
    </Form>
  );
}

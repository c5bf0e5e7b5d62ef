import Form from "@rjsf/mantine";
import { type RJSFSchema, TranslatableString, type UiSchema } from "@rjsf/utils";
import { type ReactNode, useMemo } from "react";
import { useOwnWords } from "../own-words.ts";
import { templates } from "./templates.tsx";
import { formValidator } from "./validator.ts";
import { type Keyword, useFormWords } from "./words.ts";

export type FormData = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

interface Props {
  /** JSON Schema of an object. */
  readonly schema: Schema;
  readonly data: FormData;
  change(data: FormData): void;
  /** With data that the schema accepts. */
  submit(data: FormData): void;
  /** The buttons below. */
  readonly children: ReactNode;
}

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

type OwnWords = ReturnType<typeof useOwnWords>;

/** The members of an object's schema in the reader's language, with titles in place of their names. */
function withTitles(schema: Schema, { own, nameOf }: OwnWords): Schema {
  const { properties, description } = schema;
  const meant = typeof description === "string" ? { description: own(description) } : {};
  if (!isSchema(properties)) return { ...schema, ...meant };
  const titled = Object.entries(properties).map(([name, member]) => [
    name,
    isSchema(member) ? withTitles({ title: nameOf(name), ...member }, { own, nameOf }) : member,
  ]);
  return { ...schema, ...meant, properties: Object.fromEntries(titled) };
}

/** Long texts get room, and values of a list the reader's words. */
function looksOf(schema: Schema, { own, nameOf }: OwnWords): UiSchema {
  const { properties } = schema;
  if (!isSchema(properties)) return {};
  const looks = Object.entries(properties).map(([name, member]) => {
    if (!isSchema(member)) return [name, {}];
    const { type, maxLength, description, enum: values } = member;
    if (Array.isArray(values)) return [name, { "ui:enumNames": values.map((value) => nameOf(String(value))) }];
    const isLong = type === "string" && Number(maxLength ?? 0) >= 1000;
    const meaning = typeof description === "string" ? own(description) : undefined;
    return [name, isLong ? { "ui:widget": "textarea", "ui:options": { rows: 4, description: meaning } } : {}];
  });
  return Object.fromEntries(looks);
}

/** What the library says of its own, in the reader's language. */
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

/** A form made from a schema, checked by it before anything is sent. */
export default function SchemaForm({ schema, data, change, submit, children }: Props) {
  const say = useFormWords();
  const validator = useMemo(() => formValidator(say), [say]);
  const words = useOwnWords();
  const shown: RJSFSchema = useMemo(() => ({ ...withTitles(schema, words) }), [schema, words]);
  const looks = useMemo(() => looksOf(schema, words), [schema, words]);
  return (
    <Form
      schema={shown}
      uiSchema={looks}
      formData={data}
      validator={validator}
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

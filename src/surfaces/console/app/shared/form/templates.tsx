import { Button, Text } from "@mantine/core";
import { Templates } from "@rjsf/mantine";
import {
  type ArrayFieldDescriptionProps,
  type ArrayFieldTitleProps,
  ariaDescribedByIds,
  type BaseInputTemplateProps,
  type DescriptionFieldProps,
  type IconButtonProps,
  type TitleFieldProps,
  titleId,
} from "@rjsf/utils";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { NumberField } from "../number-field.tsx";
import { typedNumber } from "../typed-number.ts";
import { useLanguage } from "../words.ts";
import { useFormWords } from "./words.ts";

/** The title of a list: the label of a group of fields, not a heading. */
function ArrayTitle({ title, fieldPathId }: ArrayFieldTitleProps) {
  return (
    <Text span fw={600} size="sm" id={titleId(fieldPathId)}>
      {title}
    </Text>
  );
}

function ObjectTitle({ title, id }: TitleFieldProps) {
  return (
    <Text fw={600} size="sm" id={id}>
      {title}
    </Text>
  );
}

function Description({ id, description }: DescriptionFieldProps) {
  return (
    <Text size="xs" c="dimmed" id={id}>
      {description}
    </Text>
  );
}

function ArrayDescription({ description }: ArrayFieldDescriptionProps) {
  return (
    <Text size="xs" c="dimmed">
      {description}
    </Text>
  );
}

function AddButton({ id, className, disabled, onClick }: IconButtonProps) {
  const say = useFormWords();
  return (
    <Button
      variant="default"
      size="xs"
      mt="xs"
      leftSection={<IconPlus size={14} />}
      {...(id !== undefined && { id })}
      {...(className !== undefined && { className })}
      {...(disabled !== undefined && { disabled })}
      {...(onClick && { onClick })}
    >
      {say("add")}
    </Button>
  );
}

const LibraryInput = Templates.BaseInputTemplate;

/** Passes on invalid numbers as typed, so that the schema rejects them. */
function NumberInput({ id, htmlName, schema, value, label, required, rawErrors, onChange }: BaseInputTemplateProps) {
  const { language } = useLanguage();
  const fraction = schema.type === "number";
  const [typed, setTyped] = useState("");
  const read = (text: string): unknown =>
    text.trim() === "" ? undefined : (typedNumber(text, language, { fraction }) ?? text);
  const type = (text: string): void => {
    setTyped(text);
    onChange(read(text));
  };
  return (
    <NumberField
      id={id}
      name={htmlName ?? id}
      label={label}
      description={schema.description}
      required={required === true}
      min={schema.minimum}
      max={schema.maximum}
      fraction={fraction}
      error={rawErrors?.join("\n")}
      aria-describedby={ariaDescribedByIds(id)}
      typed={read(typed) === value ? typed : String(value ?? "")}
      type={type}
    />
  );
}

/** A single-line text or number field. */
function Input(props: BaseInputTemplateProps) {
  const { type } = props.schema;
  if (type === "integer" || type === "number") return <NumberInput {...props} />;
  return LibraryInput && <LibraryInput {...props} />;
}

/** The console's replacements for the library's templates: labels instead of headings, and buttons with text. */
export const templates = {
  ArrayFieldTitleTemplate: ArrayTitle,
  TitleFieldTemplate: ObjectTitle,
  DescriptionFieldTemplate: Description,
  ArrayFieldDescriptionTemplate: ArrayDescription,
  BaseInputTemplate: Input,
  ButtonTemplates: { AddButton },
};

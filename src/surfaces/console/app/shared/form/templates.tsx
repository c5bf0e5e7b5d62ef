import { Button, Text } from "@mantine/core";
import {
  type ArrayFieldDescriptionProps,
  type ArrayFieldTitleProps,
  type DescriptionFieldProps,
  type IconButtonProps,
  type TitleFieldProps,
  titleId,
} from "@rjsf/utils";
import { IconPlus } from "@tabler/icons-react";
import { useFormWords } from "./words.ts";

/** A list's title: it labels a group of fields, and is no heading. */
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

/** What of the library's looks is ours: labels instead of headings, and buttons that say what they do. */
export const templates = {
  ArrayFieldTitleTemplate: ArrayTitle,
  TitleFieldTemplate: ObjectTitle,
  DescriptionFieldTemplate: Description,
  ArrayFieldDescriptionTemplate: ArrayDescription,
  ButtonTemplates: { AddButton },
};

import { Button, FileInput, Group, Stack, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { type DragEvent, type FormEvent, useState } from "react";
import type { Schemas } from "../../shared/api.ts";
import { Section } from "../../shared/section.tsx";
import { FactFields, noFacts } from "./facts.tsx";
import { HeldDocuments } from "./held.tsx";
import { Imports } from "./imports.tsx";
import { endings, useSending } from "./sending.ts";
import { useWords } from "./words.ts";

/** Whether a file can state facts about itself in its first lines. */
const mayStateFacts = ({ name }: File): boolean => /\.(?:md|markdown|txt)$/i.test(name);

interface ChoiceProps {
  readonly files: File[];
  choose(files: File[]): void;
}

/** The field to choose files, or to drop them on. */
function Choice({ files, choose }: ChoiceProps) {
  const say = useWords();
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    choose([...event.dataTransfer.files]);
  };
  return (
    <FileInput
      multiple
      required
      clearable
      clearButtonProps={{ "aria-label": say("clear") }}
      label={say("files")}
      description={say("files_text")}
      // Shown until there are file names to show.
      leftSection={
        files.length === 0 && (
          <Group gap="xs" wrap="nowrap">
            <IconUpload size={16} />
            <Text size="sm">{say("files_choose")}</Text>
          </Group>
        )
      }
      leftSectionWidth={files.length === 0 ? 160 : 0}
      classNames={{ input: "drop" }}
      data-over={isOver || undefined}
      accept={endings.join(",")}
      value={files}
      onChange={choose}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    />
  );
}

interface ImportProps {
  readonly held: Schemas["InsuranceCoverage"]["markets"];
}

/** The operator's import form: the files, their shared facts, the progress, and the existing coverage. */
export default function Import({ held }: ImportProps) {
  const say = useWords();
  const [files, choose] = useState<File[]>([]);
  const [facts, change] = useState(noFacts);
  const { unsent, isSending, begin } = useSending();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (files.length === 0) return;
    begin(files, facts);
    choose([]);
  };
  return (
    <>
      <Section title={say("import")}>
        <form onSubmit={submit}>
          <Stack>
            <Choice files={files} choose={choose} />
            <FactFields
              facts={facts}
              change={change}
              held={held}
              isOptional={files.length > 0 && files.every(mayStateFacts)}
            />
            <Group justify="space-between">
              <Text size="sm" c="dimmed" flex="1 1 200px">
                {say("import_text")}
              </Text>
              <Button type="submit" loading={isSending}>
                {say("import")}
              </Button>
            </Group>
          </Stack>
        </form>
        <Imports unsent={unsent} />
      </Section>
      {held.length > 0 && <HeldDocuments />}
    </>
  );
}

import { Code, Stack, Table, Text } from "@mantine/core";
import { useOwnWords } from "../../shared/own-words.ts";
import { useWords } from "./words.ts";

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** Describes a member's type in a few words: `text[]`, `a | b`, `number`. */
function typeOf(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(" | ");
  if (Array.isArray(schema.anyOf)) return schema.anyOf.filter(isSchema).map(typeOf).join(" | ");
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === "array" && isSchema(schema.items)) return `${typeOf(schema.items)}[]`;
  return Array.isArray(schema.type) ? schema.type.join(" | ") : String(schema.type ?? "any");
}

/** The members of a schema: name, type, whether required, meaning. */
export function Contract({ title, schema }: { readonly title: string; readonly schema: Schema }) {
  const say = useWords();
  const { own } = useOwnWords();
  const { properties, required } = schema;
  const members = isSchema(properties) ? Object.entries(properties) : [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return (
    <Stack gap={4}>
      <Text fw={600} component="h3" size="sm">
        {title}
      </Text>
      <Table verticalSpacing={6} horizontalSpacing="xs" layout="fixed">
        <Table.Tbody>
          {members.map(([name, member]) => (
            <Table.Tr key={name}>
              <Table.Td valign="top">
                <Code>{name}</Code>
                {needed.has(name) && (
                  <Text span size="xs" c="dimmed">
                    {" "}
                    {say("needed")}
                  </Text>
                )}
              </Table.Td>
              <Table.Td valign="top">
                <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                  {isSchema(member) ? typeOf(member) : ""}
                </Text>
                {isSchema(member) && typeof member.description === "string" && (
                  <Text size="xs" c="dimmed">
                    {own(member.description)}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

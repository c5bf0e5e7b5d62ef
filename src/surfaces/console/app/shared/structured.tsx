import { Box, List, Stack, Text } from "@mantine/core";
import { useCommonWords } from "./common-words.ts";
import { useFormat } from "./format.ts";
import { keyed } from "./keyed.ts";
import { useOwnWords } from "./own-words.ts";
import { type Column, Rows } from "./rows.tsx";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSimple = (value: unknown): boolean => typeof value !== "object" || value === null;

const isLong = (value: unknown): boolean => typeof value === "string" && value.length > 60;

function Simple({ value }: { readonly value: unknown }) {
  const say = useCommonWords();
  const { number } = useFormat();
  if (value === null || value === undefined || value === "") return <Text c="dimmed">–</Text>;
  if (typeof value === "boolean") return <Text>{say(value ? "yes" : "no")}</Text>;
  if (typeof value === "number") return <Text>{number(value, 4)}</Text>;
  return <Text className="pre-line">{String(value)}</Text>;
}

const isShort = (value: unknown): boolean => isSimple(value) && String(value).length <= 24;

/** Whether a value is short enough to share a line with others, as country codes do. */
const isBrief = (value: unknown): boolean => typeof value === "string" && value.length <= 24;

/** Whether rows fit a table; those with more members are easier to read one below another. */
const isNarrow = (rows: readonly Members[]): boolean =>
  rows.every((row) => {
    const values = Object.values(row);
    return values.length <= 5 ? values.every(isSimple) : values.length <= 8 && values.every(isShort);
  });

type Row = ReturnType<typeof keyed<Members>>[number];

/** Rows of the same kind, with their members as columns. */
function Table({ rows }: { readonly rows: readonly Members[] }) {
  const { nameOf } = useOwnWords();
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <Rows
      label={columns.map(nameOf).join(", ")}
      isOneOfMany
      rows={keyed(rows)}
      keyOf={({ key }) => key}
      columns={columns.map(
        (column): Column<Row> => ({
          name: nameOf(column),
          cell: ({ item }) => <Simple value={item[column]} />,
        }),
      )}
    />
  );
}

function Items({ items }: { readonly items: readonly unknown[] }) {
  if (items.length === 0) return <Simple value={null} />;
  if (items.length < 12 && items.every(isBrief)) return <Text>{items.join(", ")}</Text>;
  if (items.every(isSimple))
    return (
      <List spacing={2} withPadding={false}>
        {keyed(items).map(({ key, item }) => (
          <List.Item key={key}>
            <Simple value={item} />
          </List.Item>
        ))}
      </List>
    );
  if (items.every(isMembers) && isNarrow(items)) return <Table rows={items} />;
  return (
    <Stack gap="sm">
      {keyed(items).map(({ key, item }) => (
        <Box key={key} className="structured-item">
          <Structured value={item} />
        </Box>
      ))}
    </Stack>
  );
}

/** Any JSON value in readable form: members by name, rows as a table, lists as lists. */
export function Structured({ value }: { readonly value: unknown }) {
  const { nameOf } = useOwnWords();
  if (Array.isArray(value)) return <Items items={value} />;
  if (!isMembers(value)) return <Simple value={value} />;
  return (
    <dl className="structured">
      {Object.entries(value).map(([name, member]) => (
        <div key={name} data-nested={!isSimple(member) || undefined} data-long={isLong(member) || undefined}>
          <dt>{nameOf(name)}</dt>
          <dd>
            <Structured value={member} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

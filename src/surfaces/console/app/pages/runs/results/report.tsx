import { List, Progress, Stack, Table, Text } from "@mantine/core";
import type { Block } from "../../../../../../products/documents/document.ts";
import { keyed } from "../../../shared/keyed.ts";
import { type Column, Rows } from "../../../shared/rows.tsx";
import { Part } from "./parts.tsx";
import type { Report } from "./shapes.ts";

/** A bar chart: each bar has its label before it and its value after it. */
function Bars({ caption, bars }: Extract<Block, { kind: "bars" }>) {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <Table aria-label={caption} withRowBorders={false} verticalSpacing={4}>
      <Table.Tbody>
        {keyed(bars).map(({ key, item: { label, value, shown } }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400} className="nowrap">
              {label}
            </Table.Th>
            <Table.Td w="60%">
              <Progress value={(value / most) * 100} size="lg" aria-hidden="true" />
            </Table.Td>
            <Table.Td ta="right" className="nowrap">
              {shown}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

type Row = ReturnType<typeof keyed<readonly string[]>>[number];

/** A table of texts. */
function Cells({ caption, columns, rows }: Extract<Block, { kind: "table" }>) {
  return (
    <Rows
      label={caption}
      isOneOfMany
      rows={keyed(rows)}
      keyOf={({ key }) => key}
      columns={columns.map((name, at): Column<Row> => ({ name, cell: ({ item }) => item[at] ?? "" }))}
    />
  );
}

const Captioned = ({ block }: { readonly block: Extract<Block, { caption: string }> }) => (
  <Stack gap={4}>
    <Text size="sm" c="dimmed">
      {block.caption}
    </Text>
    {block.kind === "bars" ? <Bars {...block} /> : <Cells {...block} />}
  </Stack>
);

function BlockView({ block }: { readonly block: Block }) {
  if (block.kind === "paragraph") return <Text className="passage">{block.text}</Text>;
  if (block.kind !== "list") return <Captioned block={block} />;
  return (
    <List size="sm" spacing={6}>
      {keyed(block.items).map(({ key, item }) => (
        <List.Item key={key}>{item}</List.Item>
      ))}
    </List>
  );
}

/** A report, section by section. */
export default function ReportView({ report: { sections } }: { readonly report: Report }) {
  return (
    <Stack gap="lg">
      {keyed(sections).map(({ key, item: { heading, blocks } }) => (
        <Part key={key} title={heading}>
          {keyed(blocks).map((block) => (
            <BlockView key={block.key} block={block.item} />
          ))}
        </Part>
      ))}
    </Stack>
  );
}

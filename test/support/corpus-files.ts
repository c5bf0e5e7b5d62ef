import { strToU8, zipSync, zlibSync } from "fflate";
import { PDFDocument, type PDFFont, PDFHexString, type PDFPage, rgb, StandardFonts } from "pdf-lib";

/** Real files of every format that the importer reads, made by other people's writers. */

/** Text on a page: points from the top, in size 10 unless said otherwise. */
export interface Set {
  readonly text: string;
  readonly x?: number;
  readonly y: number;
  readonly size?: number;
  readonly bold?: boolean;
}

const width = 595;
const height = 842;

function draw(page: PDFPage, { text, x = 60, y, size = 10, bold = false }: Set, fonts: [PDFFont, PDFFont]): void {
  page.drawText(text, { x, y: height - y, size, font: fonts[bold ? 1 : 0], color: rgb(0, 0, 0) });
}

/** A PDF of the pages. Its standard fonts have the letters of western Europe. */
export async function pdfOf(pages: readonly (readonly Set[])[], title?: string): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  if (title !== undefined) pdf.setTitle(title);
  const fonts: [PDFFont, PDFFont] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.HelveticaBold),
  ];
  for (const sets of pages) {
    const page = pdf.addPage([width, height]);
    for (const set of sets) draw(page, set, fonts);
  }
  return pdf.save();
}

/** A PDF of one page with that content, packed as small as it gets. */
export function pdfOfContent(content: Uint8Array): Uint8Array {
  const packed = zlibSync(content, { level: 1 });
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`);
  const stream = `5 0 obj\n<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
  const end = "\nendstream\nendobj\ntrailer << /Root 1 0 R /Size 6 >>\n%%EOF";
  return Buffer.concat([strToU8(`%PDF-1.4\n${objects.join("")}${stream}`), packed, strToU8(end)]);
}

/** Lines one below the other. */
export const lines = (texts: readonly string[], from = 100, x = 60): Set[] =>
  texts.map((text, i) => ({ text, x, y: from + i * 13 }));

/** A PDF of drawings alone, as a scanner makes them. */
export async function scannedPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let i = 0; i < pages; i++) pdf.addPage([width, height]).drawRectangle({ x: 50, y: 50, width: 400, height: 600 });
  return pdf.save();
}

/** A PDF that asks for a password: its keys are no password's, so that none opens it. */
export async function encryptedPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([width, height]);
  const secret = PDFHexString.of("5a".repeat(32));
  const encrypt = pdf.context.obj({ Filter: "Standard", V: 1, R: 2, P: -4, O: secret, U: secret });
  pdf.context.trailerInfo.Encrypt = pdf.context.register(encrypt);
  pdf.context.trailerInfo.ID = pdf.context.obj([secret, secret]);
  return pdf.save({ useObjectStreams: false });
}

const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const styles = `<w:styles ${namespace}>
  <w:style w:type="paragraph" w:styleId="Nadpis1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Nadpis2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
</w:styles>`;
const numbering = `<w:numbering ${namespace}>
  <w:abstractNum w:abstractNumId="7">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="Článek %1"/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl>
    <w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%3)"/></w:lvl>
  </w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>
</w:numbering>`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const run = (text: string): string => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;

/** A paragraph; `level` numbers it in the document's list. */
export const paragraph = (text: string, level?: number): string =>
  `<w:p>${level === undefined ? "" : `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>`}${run(text)}</w:p>`;
export const styled = (text: string, style: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}</w:p>`;
export const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;

/** The part of a document that holds its notes. */
export const noted = (kind: "footnote" | "endnote", id: string, text: string): string =>
  `<w:${kind}s ${namespace}><w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}></w:${kind}s>`;

/** A Word document with that body, and other parts by their names. */
export const docxOf = (body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  zipSync({
    "[Content_Types].xml": strToU8("<Types/>"),
    "word/document.xml": strToU8(`<w:document ${namespace}><w:body>${body}</w:body></w:document>`),
    "word/styles.xml": strToU8(styles),
    "word/numbering.xml": strToU8(numbering),
    ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}.xml`, strToU8(xml)])),
  });

/** A Word document of a few kilobytes that unpacks to `bytes`. */
export const docxBomb = (bytes: number): Uint8Array =>
  zipSync({ "word/document.xml": new Uint8Array(bytes).fill(32) }, { level: 1 });

const tables = new Map<string, ReadonlyMap<string, number>>();

/** A text in a single-byte encoding. */
export function encoded(text: string, encoding: "windows-1250" | "windows-1252" | "iso-8859-2"): Uint8Array {
  let table = tables.get(encoding);
  if (!table) {
    const decoder = new TextDecoder(encoding);
    table = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte] as const));
    tables.set(encoding, table);
  }
  return Uint8Array.from([...text], (sign) => {
    const byte = table.get(sign);
    if (byte === undefined) throw new Error(`${encoding} has no ${sign}`);
    return byte;
  });
}

/** UTF-16 with its mark. */
export function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

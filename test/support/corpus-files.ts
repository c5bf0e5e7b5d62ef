import { strToU8, zipSync, zlibSync } from "fflate";
import { PDFDocument, type PDFFont, PDFHexString, type PDFPage, rgb, StandardFonts } from "pdf-lib";

/** Real files of every format that the importer reads, produced by third-party writers. */

/** A text at a position in points from the top left; the default font size is 10. */
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

/** Returns a PDF with these pages. Its standard fonts cover Western European letters. */
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

/** Returns a one-page PDF with this content, compressed as much as possible. */
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

/** Places the texts on consecutive lines. */
export const lines = (texts: readonly string[], from = 100, x = 60): Set[] =>
  texts.map((text, i) => ({ text, x, y: from + i * 13 }));

/** Returns a PDF with drawings only, like a scan. */
export async function scannedPdf(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (let i = 0; i < pages; i++) pdf.addPage([width, height]).drawRectangle({ x: 50, y: 50, width: 400, height: 600 });
  return pdf.save();
}

/** Returns a PDF that asks for a password. Its keys match no password, so none opens it. */
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

/** Returns a paragraph; `level` makes it a numbered item of a list. */
export const paragraph = (text: string, level?: number): string =>
  `<w:p>${level === undefined ? "" : `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>`}${run(text)}</w:p>`;
export const styled = (text: string, style: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}</w:p>`;
export const tableOf = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join("")}</w:tr>`).join("")}</w:tbl>`;

/** Returns the footnotes or endnotes part of a document. */
export const noted = (kind: "footnote" | "endnote", id: string, text: string): string =>
  `<w:${kind}s ${namespace}><w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}></w:${kind}s>`;

/** Returns a Word document with this body, and further parts by file name. */
export const docxOf = (body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array =>
  zipSync({
    "[Content_Types].xml": strToU8("<Types/>"),
    "word/document.xml": strToU8(`<w:document ${namespace}><w:body>${body}</w:body></w:document>`),
    "word/styles.xml": strToU8(styles),
    "word/numbering.xml": strToU8(numbering),
    ...Object.fromEntries(Object.entries(parts).map(([name, xml]) => [`word/${name}.xml`, strToU8(xml)])),
  });

/** Returns a Word document of a few kilobytes that decompresses to `bytes`. */
export const docxBomb = (bytes: number): Uint8Array =>
  zipSync({ "word/document.xml": new Uint8Array(bytes).fill(32) }, { level: 1 });

const tables = new Map<string, ReadonlyMap<string, number>>();

/** Encodes a text in a single-byte encoding. */
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

/** Encodes a text as UTF-16 with a byte order mark. */
export function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

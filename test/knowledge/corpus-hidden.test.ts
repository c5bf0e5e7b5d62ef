import { describe, expect, test } from "bun:test";
import type { Extracted } from "../../src/knowledge/corpus/blocks.ts";
import { extract } from "../../src/knowledge/corpus/extract.ts";

/** Text hidden by a page's styles is not part of the document; text that may be hidden is. */

const quiet = () => undefined;
const read = (file: string, text: string): Promise<Extracted> => extract(file, new TextEncoder().encode(text), quiet);
const linesOf = ({ blocks }: Extracted): string[] => blocks.map(({ text }) => text);

const seen = "Zimní sporty jsou pojištěny.";
const secret = "Lyžování není nikdy pojištěno.";

/** A page with a style sheet, a visible sentence and the given text next to it. */
const page = (sheet: string, beside: string): Promise<Extracted> =>
  read(
    "page.html",
    `<!doctype html><head><style>${sheet}</style></head><body><main><p>${seen}</p>${beside}</main></body>`,
  );

describe("HTML omits and reports text that is hidden", () => {
  test.each([
    "display:none",
    "display: none",
    "DISPLAY : NONE !IMPORTANT;",
    "color:red;display:/* not yet */none",
    "display:block;display:none",
    "display:none;display:nothing-known",
    "display:none;display:block!ie",
    "visibility:hidden",
    "visibility:collapse",
    "font-size:0",
    "font-size:0px!important",
    "font:0/0 a",
    "font: bold 1px/1 serif",
    "opacity:0",
    "opacity:0.0",
    "opacity:0%",
    "content-visibility:hidden",
    "transform:scale(0)",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100em",
    "text-indent:-9999px",
    "position:absolute;clip:rect(0 0 0 0)",
    "position:absolute;clip:rect(1px, 1px, 1px, 1px)",
    "clip-path:inset(50%)",
    "height:0;overflow:hidden",
    "max-height:0;overflow:hidden",
  ])("by its own style: %s", async (style) => {
    for (const html of [`<p style="${style}">${secret}</p>`, `<div style="${style}"><p>${secret}</p></div>`]) {
      const extracted = await page("", html);
      expect(linesOf(extracted)).toEqual([seen]);
      expect(extracted.notes).toEqual([`left out as hidden: "${secret}"`]);
    }
  });

  test.each([
    ".gone{display:none}",
    "P.Gone , .gone { Display : None }",
    "#gone{visibility:hidden}",
    "h2, #gone, .else { font-size: 0 }",
    "main > p ~ p:not(.seen) { opacity: 0 }",
    "p[data-kind=note]{display:none}",
    "<!-- .gone{display:none} -->",
    "/* .gone{display:block} */ .gone{display:none}",
    "p{color:;:red;} .gone{display:none;",
    "@charset 'utf-8'; @media screen { .gone{display:none} }",
    "@media all { @media only screen, print { .gone{display:none} } }",
    "@layer utilities { .gone{display:none} }",
    "main { color:red; .gone{display:none} p{color:blue} }",
    "main { & .gone{ @media screen { display:none } } }",
    "#gone{display:none} p.gone{display:block}",
    ".gone{display:none!important} #gone{display:block}",
    ".gone{display:block} .gone{display:none}",
    ".gone{display:none} @media print{.gone{display:block}}",
    ".gone{display:none} .gone::before{display:block}",
    ".gone{display:none} .gone:hover{display:block}",
    "main:has(.gone) #gone{display:none}",
    "@layer later{#gone{display:block}} .gone{display:none}",
  ])("by a style sheet: %s", async (sheet) => {
    const extracted = await page(sheet, `<p class="gone" id="gone" data-kind="note">${secret}</p>`);
    expect(linesOf(extracted)).toEqual([seen]);
    expect(extracted.notes).toEqual([`left out as hidden: "${secret}"`]);
  });

  test.each(["hidden", 'hidden=""', 'hidden="until-found"', 'hidden style="display:block"'])(
    "by its attribute: %s",
    async (attribute) => {
      const extracted = await page("", `<p ${attribute}>${secret}</p>`);
      expect(linesOf(extracted)).toEqual([seen]);
      expect(extracted.notes).toEqual([`left out as hidden: "${secret}"`]);
    },
  );

  test("even if only part of the sentence or table cell is hidden", async () => {
    const cells = `<tr><td>Limit</td><td>500 Kč<span class="gone"> nebo 900 Kč</span></td></tr>`;
    const extracted = await page(
      ".gone{display:none}",
      `<p>Platí <i class="gone">ne</i>vždy.</p><table>${cells}</table>`,
    );
    expect(linesOf(extracted)).toEqual([seen, "Platí vždy.", "Limit; 500 Kč"]);
    expect(extracted.notes).toEqual(['left out as hidden: "nebo 900 Kč", "ne"']);
  });

  test("but keeps nested text that is shown again", async () => {
    const inside = `${secret}<span style="visibility:visible;font-size:1rem"> Platí i v zimě.</span>`;
    for (const style of ["visibility:hidden", "font-size:0"]) {
      const extracted = await page("", `<p style="${style}">${inside}</p>`);
      expect(linesOf(extracted)).toEqual([seen, "Platí i v zimě."]);
      expect(extracted.notes).toEqual([`left out as hidden: "${secret}"`]);
    }
    expect(linesOf(await page("", `<p style="display:none">${inside}</p>`))).toEqual([seen]);
    expect(linesOf(await page("", `<p style="font-size:0">${secret}<b style="font-size:2em">.</b></p>`))).toEqual([
      seen,
    ]);
  });
});

describe("HTML keeps text that is visible, or may be", () => {
  test.each([
    ["without a hiding style", "", "display:block;font-size:12px;opacity:.8;left:-20px;height:1px"],
    ["overridden by its own style", ".box{display:none}", "display:block"],
    ["overridden by a more specific style", ".box{display:none} div.box{display:block}", ""],
    ["overridden by an important style", ".box{display:block!important}", "display:none"],
    ["hidden only in narrow windows", "@media (max-width: 600px){.box{display:none}}", ""],
    ["hidden only in wide windows", ".box{display:none} @media (min-width: 600px){.box{display:block}}", ""],
    ["hidden only in print", "@media print{.box{display:none}}", ""],
    ["hidden only in some browsers", "@supports (display: grid){.box{display:none}}", ""],
    ["hidden only during an animation", ".box{opacity:0;animation:fade 1s}", ""],
    ["hidden only during a transition", ".box{max-height:0;overflow:hidden;transition:max-height .3s}", ""],
    ["in a box of another class", ".boxes{display:none} .box::after{display:none}", ""],
    ["with a name in a comment or a string", '/* .box{display:none} */ p::after{content:".box{display:none}"}', ""],
  ])("%s", async (_, sheet, style) => {
    const extracted = await page(sheet, `<div class="box" style="${style}"><p>${secret}</p></div>`);
    expect(linesOf(extracted)).toEqual([seen, secret]);
    expect(extracted.notes).toEqual([]);
  });

  test.each([
    "<noscript><style>.box{display:none}</style></noscript>",
    '<style media="print">.box{display:none}</style>',
    '<style media="(max-width: 20em)">.box{display:none}</style>',
    '<style type="text/x-template">.box{display:none}</style>',
    '<link rel="stylesheet" href="all.css">',
  ])("not hidden by a style of the page itself: %s", async (styles) => {
    expect(linesOf(await page("", `${styles}<p class="box">${secret}</p>`))).toEqual([seen, secret]);
  });

  test("in a collapsed section", async () => {
    const extracted = await page("", `<details><summary>Více</summary><p>${secret}</p></details>`);
    expect(linesOf(extracted)).toEqual([seen, "Více", secret]);
  });
});

test("struck-out text is omitted too", async () => {
  for (const html of [`<p class="old">${secret}</p>`, `<p style="TEXT-DECORATION: line-through">${secret}</p>`]) {
    const extracted = await page(".old{text-decoration-line:line-through}", html);
    expect(linesOf(extracted)).toEqual([seen]);
    expect(extracted.notes).toEqual(["1 place with struck-out text is left out"]);
  }
});

test.each([
  `${seen} <span style="display:none">${secret}</span>`,
  `${seen}\n\n<p hidden>${secret}</p>`,
  `${seen}\n<div style="font-size:0"><div>Lyžování není</div> nikdy pojištěno.</div>`,
  `${seen}\n\n<ul><li style="visibility: hidden">${secret}</li></ul>`,
])("Markdown omits text hidden by its tags: %s", async (text) => {
  const extracted = await read("a.md", text);
  expect(linesOf(extracted).join(" ")).toBe(seen);
  expect(extracted.notes).toEqual([`left out as hidden: "${secret}"`]);
});

test("styles nested without end make a document unreadable", async () => {
  const outcome = page("@media all{".repeat(1_000), "").then(
    () => "read",
    (error: Error) => error.message,
  );
  expect(await outcome).toContain("its styles are nested more than 100 deep");
});

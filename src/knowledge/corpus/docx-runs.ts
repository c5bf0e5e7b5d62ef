import { Formula } from "./docx-math.ts";
import { type CharacterLook, Look } from "./docx-styles.ts";
import { symbolOf, withSymbols } from "./docx-symbols.ts";
import type { Attributes } from "./docx-xml.ts";
import { leftOut, struckOut } from "./left-out.ts";
import { shifted } from "./shifted.ts";

/** Elements that embed other documents, objects of other programs, charts or diagrams. */
const inserted = new Set(["w:altChunk", "w:object", "c:chart", "dgm:relIds"]);

/** Replaces an unknown character. */
const unknownSign = "\ufffd";

/** Counts the places in a document that are omitted or changed. */
export class Unread {
  private readonly places = { hidden: 0, struck: 0, signs: 0, formulas: 0, inserted: 0 };

  count(what: keyof Unread["places"]): void {
    this.places[what]++;
  }

  /** Counts an element if it is embedded content. */
  open(name: string): void {
    if (inserted.has(name)) this.count("inserted");
  }

  get notes(): string[] {
    const { hidden, struck, signs, formulas } = this.places;
    return [
      ...struckOut(struck),
      ...leftOut(hidden, "place with hidden text is", "places with hidden text are"),
      ...leftOut(
        this.places.inserted,
        "inserted document, object, chart or diagram is",
        "inserted documents, objects, charts or diagrams are",
      ),
      ...(signs > 0
        ? [`${signs} of its symbols ${signs === 1 ? "is" : "are"} unknown, and shown as ${unknownSign}`]
        : []),
      ...(formulas > 0
        ? [`${formulas} of its formulas ${formulas === 1 ? "is" : "are"} written on one line, as in a/b and 10^6`]
        : []),
    ];
  }
}

/** Collects the text of an element from its runs. */
export class RunText {
  private parts: string[] = [];
  private isText = false;
  /** The open runs; a run with a text box contains others. */
  private readonly runs: Look[] = [];
  private formula: Formula | undefined;
  /** The run that was counted last, whose text may arrive in pieces. */
  private counted: Look | undefined;

  /** `looks` are the character styles' formatting. */
  constructor(
    private readonly looks: ReadonlyMap<string, CharacterLook>,
    private readonly unread: Unread,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.formula) this.formula.open(name, attributes);
    else if (name === "m:oMath") this.formula = new Formula();
    else if (name === "w:r") this.runs.push(new Look());
    else if (name === "w:t") this.isText = true;
    else if (name === "w:sym") this.symbol(attributes);
    else if (name === "w:tab" || name === "w:ptab" || name === "w:br" || name === "w:cr" || name === "w:p")
      this.parts.push(" ");
    else if (name === "w:noBreakHyphen") this.parts.push("-");
    else {
      this.runs.at(-1)?.open(name, attributes);
      this.unread.open(name);
    }
  }

  close(name: string): void {
    if (name === "m:oMath") this.closeFormula();
    else if (this.formula) this.formula.close();
    else if (name === "w:r") this.runs.pop();
    else if (name === "w:t") this.isText = false;
  }

  add(text: string): void {
    if (this.formula) this.formula.add(text);
    else if (this.isText) this.show((look) => withSymbols(text, look?.font));
  }

  private symbol({ "w:font": font = "", "w:char": code = "" }: Attributes): void {
    this.show(() => {
      const sign = symbolOf(font, Number.parseInt(code, 16));
      if (sign === undefined) this.unread.count("signs");
      return sign ?? unknownSign;
    });
  }

  /** Adds a text as its run shows it, or counts it if the run hides or strikes it out. */
  private show(textOf: (look: CharacterLook | undefined) => string): void {
    const run = this.runs.at(-1);
    const look = run?.over(this.looks);
    if (!look?.isHidden && !look?.isStruck) this.parts.push(shifted(textOf(look), look?.shift));
    else if (run !== this.counted) {
      this.unread.count(look.isHidden ? "hidden" : "struck");
      this.counted = run;
    }
  }

  private closeFormula(): void {
    if (this.formula === undefined) return;
    this.parts.push(this.formula.text);
    this.unread.count("formulas");
    this.formula = undefined;
  }

  /** Returns the collected text and resets. */
  take(): string {
    const text = this.parts.join("");
    this.parts = [];
    return text;
  }
}

import type { Language } from "../../integrations/mail/texts.ts";

const en = {
  title: "Check a receipt",
  lead: "Paste the signed receipt of a run, or drop its file here. It is checked in this browser, with the public keys of this server. Nothing is sent anywhere.",
  field: "Receipt",
  hint: "One long line with two dots in it, as returned by GET /v1/runs/{run_id}/receipt or saved by “assay receipt get”.",
  file: "Or choose a file",
  action: "Check",
  checking: "One moment…",
  genuine: "This receipt is genuine: this server signed it, and nothing in it has changed since. It proves:",
  nothing: "There is nothing to check yet. Paste a receipt, or choose a file.",
  not_receipt:
    "This is not a receipt. A receipt is one long line of letters, digits, - and _, in three parts with dots between.",
  unsigned:
    "This is only what a receipt states, without its signature. Anyone may have written it: it proves nothing. Check the signed receipt itself.",
  other_json: "This is JSON, but not a receipt. A receipt is one long line in three parts with dots between.",
  bad_header: "The beginning of this receipt can't be read. It was damaged or changed: don't rely on it.",
  bad_body: "What this receipt states can't be read. Don't rely on it.",
  other_type: "This is signed, but it is not a receipt: its type is {type}.",
  unknown_key:
    "This was signed with the key {key}, which is not among the {count} keys of this server. It comes from another installation, or is forged. Check it on the server that issued it.",
  changed:
    "Don't rely on this receipt: its signature does not match. Something in it was changed after it was signed, or someone else signed it.",
  no_keys: "The public keys of the server can't be loaded. Check your connection and try again.",
  no_crypto:
    "This browser checks signatures only on pages that are served over HTTPS. Open this page by its https address, or use “assay receipt verify”.",
  fact_run: "Run",
  fact_what: "What was run",
  fact_engine: "Engine",
  fact_firm: "Firm",
  fact_workspace: "Workspace",
  fact_status: "How it ended",
  fact_cost: "What it cost",
  cost: "{charged} of at most {maximum} credits; {released} released",
  step_cost: "{charged} credits",
  fact_steps: "Steps",
  fact_approval: "Approval",
  fact_finished: "When it ended",
  fact_input: "SHA-256 of the input",
  fact_result: "SHA-256 of the result",
  fact_key: "Signed with the key",
  whole: "Full content",
};
/** The page's messages. */
export type ReceiptWords = typeof en;

const cs: ReceiptWords = {
  title: "Ověření účtenky",
  lead: "Vložte podepsanou účtenku běhu, nebo sem přetáhněte její soubor. Ověří se v tomto prohlížeči veřejnými klíči tohoto serveru. Nic z ní se nikam neposílá.",
  field: "Účtenka",
  hint: "Jeden dlouhý řádek se dvěma tečkami, jak jej vrací GET /v1/runs/{run_id}/receipt a ukládá „assay receipt get“.",
  file: "Nebo vyberte soubor",
  action: "Ověřit",
  checking: "Okamžik…",
  genuine: "Účtenka je pravá: podepsal ji tento server a od té doby se v ní nic nezměnilo. Dokládá:",
  nothing: "Zatím není co ověřovat. Vložte účtenku, nebo vyberte soubor.",
  not_receipt:
    "Toto není účtenka. Účtenka je jeden dlouhý řádek písmen, číslic, - a _, ve třech částech oddělených tečkami.",
  unsigned:
    "Toto je jen obsah účtenky bez podpisu. Mohl jej napsat kdokoli, nic nedokládá. Ověřte přímo podepsanou účtenku.",
  other_json: "Toto je JSON, ale ne účtenka. Účtenka je jeden dlouhý řádek ve třech částech oddělených tečkami.",
  bad_header: "Začátek této účtenky nelze přečíst. Byla poškozena nebo změněna: nespoléhejte na ni.",
  bad_body: "Obsah této účtenky nelze přečíst. Nespoléhejte na ni.",
  other_type: "Toto je podepsané, ale není to účtenka: typ je {type}.",
  unknown_key:
    "Podepsal to klíč {key}, a žádný z klíčů tohoto serveru ({count}) jím není. Účtenka je z jiné instalace, nebo padělaná. Ověřte ji na serveru, který ji vydal.",
  changed:
    "Na tuto účtenku nespoléhejte: podpis nesouhlasí. Po podpisu se v ní něco změnilo, nebo ji podepsal někdo jiný.",
  no_keys: "Veřejné klíče serveru se nepodařilo načíst. Zkontrolujte připojení a zkuste to znovu.",
  no_crypto:
    "Tento prohlížeč ověřuje podpisy jen na stránkách přes HTTPS. Otevřete stránku na její adrese https, nebo použijte „assay receipt verify“.",
  fact_run: "Běh",
  fact_what: "Co běželo",
  fact_engine: "Nástroj",
  fact_firm: "Firma",
  fact_workspace: "Pracovní prostor",
  fact_status: "Jak skončil",
  fact_cost: "Kolik stál",
  cost: "kreditů: {charged} z nejvýše {maximum}; uvolněno {released}",
  step_cost: "kreditů: {charged}",
  fact_steps: "Kroky",
  fact_approval: "Schválení",
  fact_finished: "Kdy skončil",
  fact_input: "SHA-256 vstupu",
  fact_result: "SHA-256 výsledku",
  fact_key: "Podepsáno klíčem",
  whole: "Všechno, co uvádí",
};

const sk: ReceiptWords = {
  title: "Overenie účtenky",
  lead: "Vložte podpísanú účtenku behu, alebo sem presuňte jej súbor. Overí sa v tomto prehliadači verejnými kľúčmi tohto servera. Nič z nej sa nikam neposiela.",
  field: "Účtenka",
  hint: "Jeden dlhý riadok s dvoma bodkami, ako ho vracia GET /v1/runs/{run_id}/receipt a ukladá „assay receipt get“.",
  file: "Alebo vyberte súbor",
  action: "Overiť",
  checking: "Moment…",
  genuine: "Účtenka je pravá: podpísal ju tento server a odvtedy sa v nej nič nezmenilo. Dokladá:",
  nothing: "Zatiaľ nie je čo overovať. Vložte účtenku, alebo vyberte súbor.",
  not_receipt:
    "Toto nie je účtenka. Účtenka je jeden dlhý riadok písmen, číslic, - a _, v troch častiach oddelených bodkami.",
  unsigned:
    "Toto je len obsah účtenky bez podpisu. Mohol ho napísať ktokoľvek, nič nedokladá. Overte priamo podpísanú účtenku.",
  other_json: "Toto je JSON, ale nie účtenka. Účtenka je jeden dlhý riadok v troch častiach oddelených bodkami.",
  bad_header: "Začiatok tejto účtenky sa nedá prečítať. Bola poškodená alebo zmenená: nespoliehajte sa na ňu.",
  bad_body: "Obsah tejto účtenky sa nedá prečítať. Nespoliehajte sa na ňu.",
  other_type: "Toto je podpísané, ale nie je to účtenka: typ je {type}.",
  unknown_key:
    "Podpísal to kľúč {key}, a žiadny z kľúčov tohto servera ({count}) ním nie je. Účtenka je z inej inštalácie, alebo falošná. Overte ju na serveri, ktorý ju vydal.",
  changed:
    "Na túto účtenku sa nespoliehajte: podpis nesúhlasí. Po podpise sa v nej niečo zmenilo, alebo ju podpísal niekto iný.",
  no_keys: "Verejné kľúče servera sa nepodarilo načítať. Skontrolujte pripojenie a skúste to znova.",
  no_crypto:
    "Tento prehliadač overuje podpisy len na stránkach cez HTTPS. Otvorte stránku na jej adrese https, alebo použite „assay receipt verify“.",
  fact_run: "Beh",
  fact_what: "Čo bežalo",
  fact_engine: "Nástroj",
  fact_firm: "Firma",
  fact_workspace: "Pracovný priestor",
  fact_status: "Ako skončil",
  fact_cost: "Koľko stál",
  cost: "kreditov: {charged} z najviac {maximum}; uvoľnené {released}",
  step_cost: "kreditov: {charged}",
  fact_steps: "Kroky",
  fact_approval: "Schválenie",
  fact_finished: "Kedy skončil",
  fact_input: "SHA-256 vstupu",
  fact_result: "SHA-256 výsledku",
  fact_key: "Podpísané kľúčom",
  whole: "Všetko, čo uvádza",
};

const de: ReceiptWords = {
  title: "Beleg prüfen",
  lead: "Fügen Sie den signierten Beleg eines Laufs ein oder ziehen Sie seine Datei hierher. Er wird in diesem Browser mit den öffentlichen Schlüsseln dieses Servers geprüft. Nichts davon wird gesendet.",
  field: "Beleg",
  hint: "Eine lange Zeile mit zwei Punkten, wie GET /v1/runs/{run_id}/receipt sie liefert und „assay receipt get“ sie speichert.",
  file: "Oder eine Datei wählen",
  action: "Prüfen",
  checking: "Einen Moment…",
  genuine:
    "Dieser Beleg ist echt: Dieser Server hat ihn signiert, und seitdem wurde nichts daran geändert. Er beweist:",
  nothing: "Es gibt noch nichts zu prüfen. Fügen Sie einen Beleg ein oder wählen Sie eine Datei.",
  not_receipt:
    "Das ist kein Beleg. Ein Beleg ist eine lange Zeile aus Buchstaben, Ziffern, - und _, in drei durch Punkte getrennten Teilen.",
  unsigned:
    "Das ist nur der Inhalt eines Belegs, ohne Signatur. Jeder kann ihn geschrieben haben; er beweist nichts. Prüfen Sie den signierten Beleg selbst.",
  other_json: "Das ist JSON, aber kein Beleg. Ein Beleg ist eine lange Zeile in drei durch Punkte getrennten Teilen.",
  bad_header:
    "Der Anfang dieses Belegs ist nicht lesbar. Er wurde beschädigt oder geändert: Verlassen Sie sich nicht darauf.",
  bad_body: "Der Inhalt dieses Belegs ist nicht lesbar. Verlassen Sie sich nicht darauf.",
  other_type: "Das ist signiert, aber kein Beleg: Sein Typ ist {type}.",
  unknown_key:
    "Der Schlüssel {key} hat dies signiert, und keiner der {count} Schlüssel dieses Servers ist dieser. Der Beleg stammt von einer anderen Installation oder ist gefälscht. Prüfen Sie ihn bei dem Server, der ihn ausgestellt hat.",
  changed:
    "Verlassen Sie sich nicht auf diesen Beleg: Seine Signatur passt nicht. Etwas darin wurde nach dem Signieren geändert, oder jemand anderes hat ihn signiert.",
  no_keys:
    "Die öffentlichen Schlüssel des Servers konnten nicht geladen werden. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
  no_crypto:
    "Dieser Browser prüft Signaturen nur auf Seiten über HTTPS. Öffnen Sie die Seite unter ihrer https-Adresse oder verwenden Sie „assay receipt verify“.",
  fact_run: "Lauf",
  fact_what: "Was lief",
  fact_engine: "Verfahren",
  fact_firm: "Firma",
  fact_workspace: "Arbeitsbereich",
  fact_status: "Wie er endete",
  fact_cost: "Was er kostete",
  cost: "{charged} Credits von höchstens {maximum}; {released} wurden freigegeben",
  step_cost: "{charged} Credits",
  fact_steps: "Schritte",
  fact_approval: "Genehmigung",
  fact_finished: "Wann er endete",
  fact_input: "SHA-256 der Eingabe",
  fact_result: "SHA-256 des Ergebnisses",
  fact_key: "Signiert mit dem Schlüssel",
  whole: "Alles, was er angibt",
};

/** The messages in each language of the public pages. */
export const receiptWordsIn: Readonly<Record<Language, ReceiptWords>> = { en, cs, sk, de };

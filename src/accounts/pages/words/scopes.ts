import { describeScope, isScope, type Scope, scopes } from "../../../contracts/scopes.ts";
import type { Language } from "../../../integrations/mail/texts.ts";

/** What each scope allows, phrased to complete "It may …" and, capitalised, to stand alone. */
type ScopeWords = Readonly<Record<Scope, string>>;

const cs: ScopeWords = {
  "profile:read": "číst profil",
  "workspaces:read": "vidět pracovní prostory",
  "company:analyze": "nechat analyzovat weby firem",
  "jobs:read": "vidět úlohy",
  "validator:mcp:access": "používat nástroje validátoru přes osobní připojení",
  "validator:usage:report": "hlásit spotřebu validace, což stojí kredity",
  "capabilities:run": "spouštět schopnosti, což může stát kredity, a ukládat jejich konfigurace",
  "use-cases:run": "spouštět případy užití, což může stát kredity",
  "runs:read": "vidět běhy, jejich výsledky a účtenky",
  "docs:read": "číst přes MCP dokumentaci a katalog",
  "validator:read": "vidět cílové skupiny a validace",
  "validator:run": "spouštět validace, což stojí kredity, a vytvářet cílové skupiny",
  "insurance:ask": "ptát se pojistného asistenta",
  "account:read": "vidět spotřebu, kredity a co účet smí používat",
  "afa:validate": "kontrolovat rady podle pravidel",
  "exa:validate": "kontrolovat odpovědi podle jejich zdrojů",
  "eu-data:aggregate": "dotazovat se na data o trzích EU",
  "distribution:read": "dotazovat se na data o distribuci",
  "market-intelligence:read": "číst tržní informace",
};

const sk: ScopeWords = {
  "profile:read": "čítať profil",
  "workspaces:read": "vidieť pracovné priestory",
  "company:analyze": "dať analyzovať weby firiem",
  "jobs:read": "vidieť úlohy",
  "validator:mcp:access": "používať nástroje validátora cez osobné pripojenie",
  "validator:usage:report": "hlásiť spotrebu validácie, čo stojí kredity",
  "capabilities:run": "spúšťať schopnosti, čo môže stáť kredity, a ukladať ich konfigurácie",
  "use-cases:run": "spúšťať prípady použitia, čo môže stáť kredity",
  "runs:read": "vidieť behy, ich výsledky a účtenky",
  "docs:read": "čítať cez MCP dokumentáciu a katalóg",
  "validator:read": "vidieť cieľové skupiny a validácie",
  "validator:run": "spúšťať validácie, čo stojí kredity, a vytvárať cieľové skupiny",
  "insurance:ask": "pýtať sa poistného asistenta",
  "account:read": "vidieť spotrebu, kredity a čo účet smie používať",
  "afa:validate": "kontrolovať rady podľa pravidiel",
  "exa:validate": "kontrolovať odpovede podľa ich zdrojov",
  "eu-data:aggregate": "dopytovať sa na dáta o trhoch EÚ",
  "distribution:read": "dopytovať sa na dáta o distribúcii",
  "market-intelligence:read": "čítať trhové informácie",
};

const de: ScopeWords = {
  "profile:read": "das Profil lesen",
  "workspaces:read": "die Arbeitsbereiche sehen",
  "company:analyze": "Websites von Firmen analysieren lassen",
  "jobs:read": "Aufträge sehen",
  "validator:mcp:access": "die Werkzeuge des Validators über eine persönliche Verbindung nutzen",
  "validator:usage:report": "die Nutzung einer Validierung melden, was Credits kostet",
  "capabilities:run": "Fähigkeiten ausführen, was Credits kosten kann, und Konfigurationen davon speichern",
  "use-cases:run": "Anwendungsfälle ausführen, was Credits kosten kann",
  "runs:read": "Läufe, ihre Ergebnisse und Belege sehen",
  "docs:read": "über MCP die Dokumentation und den Katalog lesen",
  "validator:read": "Zielgruppen und Validierungen sehen",
  "validator:run": "Validierungen starten, was Credits kostet, und Zielgruppen anlegen",
  "insurance:ask": "den Versicherungsassistenten fragen",
  "account:read": "Nutzung, Credits und den Umfang des Kontos sehen",
  "afa:validate": "Beratung anhand der Regeln prüfen",
  "exa:validate": "Antworten anhand ihrer Quellen prüfen",
  "eu-data:aggregate": "EU-Marktdaten abfragen",
  "distribution:read": "Vertriebsdaten abfragen",
  "market-intelligence:read": "Marktinformationen lesen",
};

/** The catalogue's own descriptions, which begin with a verb. */
const en = Object.fromEntries(
  scopes.map((name) => {
    const { description } = describeScope(name);
    return [name, description.charAt(0).toLowerCase() + description.slice(1)];
  }),
) as ScopeWords;

/** For forms for new keys. */
export const scopeWordsIn: Readonly<Record<Language, ScopeWords>> = { cs, sk, de, en };

/** Returns how the consent page describes a scope; an unknown one is shown by its name. */
export const scopeWords = (language: Language, scope: string): string =>
  isScope(scope) ? scopeWordsIn[language][scope] : scope;

import { isScope, type Scope } from "../../../contracts/scopes.ts";
import type { Language } from "../../../integrations/mail/texts.ts";

/** What each scope allows, phrased to complete "It may …". */
type ScopeWords = Readonly<Record<Scope, string>>;

const en: ScopeWords = {
  "profile:read": "read your profile",
  "workspaces:read": "list your workspaces",
  "company:analyze": "analyse companies' websites",
  "jobs:read": "read jobs",
  "validator:mcp:access": "use the validator's tools through a personal connection",
  "validator:usage:report": "report a validation's usage, which costs credits",
  "capabilities:run": "run capabilities, which can cost credits, and save configurations of them",
  "use-cases:run": "run use cases, which can cost credits",
  "runs:read": "read runs, their results and receipts",
  "docs:read": "read the documentation and the catalogue",
  "validator:read": "read audiences and validations",
  "validator:run": "create audiences and run validations, which costs credits",
  "insurance:ask": "ask the insurance assistant",
  "account:read": "read usage, credits and what the account may use",
  "afa:validate": "check advice against the assurance rules",
  "exa:validate": "check answers against their sources",
  "eu-data:aggregate": "query EU market data",
  "distribution:read": "query distribution intelligence",
  "market-intelligence:read": "read market intelligence",
};

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
  "docs:read": "číst dokumentaci a katalog",
  "validator:read": "vidět publika a validace",
  "validator:run": "vytvářet publika a spouštět validace, což stojí kredity",
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
  "docs:read": "čítať dokumentáciu a katalóg",
  "validator:read": "vidieť publiká a validácie",
  "validator:run": "vytvárať publiká a spúšťať validácie, čo stojí kredity",
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
  "validator:usage:report": "die Nutzung einer Validierung melden, was Guthaben kostet",
  "capabilities:run": "Fähigkeiten ausführen, was Guthaben kosten kann, und Konfigurationen davon speichern",
  "use-cases:run": "Anwendungsfälle ausführen, was Guthaben kosten kann",
  "runs:read": "Läufe, ihre Ergebnisse und Belege sehen",
  "docs:read": "die Dokumentation und den Katalog lesen",
  "validator:read": "Zielgruppen und Validierungen sehen",
  "validator:run": "Zielgruppen anlegen und Validierungen starten, was Guthaben kostet",
  "insurance:ask": "den Versicherungsassistenten fragen",
  "account:read": "Nutzung, Guthaben und den Umfang des Kontos sehen",
  "afa:validate": "Beratung anhand der Regeln prüfen",
  "exa:validate": "Antworten anhand ihrer Quellen prüfen",
  "eu-data:aggregate": "EU-Marktdaten abfragen",
  "distribution:read": "Vertriebsdaten abfragen",
  "market-intelligence:read": "Marktinformationen lesen",
};

/** For the account page's form for new keys. */
export const scopeWordsIn: Readonly<Record<Language, ScopeWords>> = { cs, sk, de, en };

/** Returns how the consent page describes a scope; an unknown one is shown by its name. */
export const scopeWords = (language: Language, scope: string): string =>
  isScope(scope) ? scopeWordsIn[language][scope] : scope;

import type { Language } from "../../../integrations/mail/texts.ts";

const en = {
  title: "AI-backed work that you can check",
  lead: "Assay sells financial-intelligence work done by software and models, and keeps it accountable.",
  price: "Every run has a price before it starts, and never costs more.",
  people: "Results that name companies or people are held until someone in your firm approves them.",
  proof: "A signed receipt proves what was run, on which input, by which engine, and what it cost.",
  read: "Learn more",
  guides: "Documentation",
  api: "Try the API",
  mcp: "Connect an assistant",
  mcp_lead: "Give this address to an MCP client; it will ask you to sign in.",
};

/** The texts in another language, all required. */
type LandingWords = { readonly [K in keyof typeof en]: string };

const cs: LandingWords = {
  title: "Práce s umělou inteligencí, kterou lze ověřit",
  lead: "Assay nabízí finanční rozbory prováděné programy a modely a dbá na to, aby se za ně dalo ručit.",
  price: "Každý běh má cenu předem a nikdy nestojí víc.",
  people: "Co jmenuje firmy nebo osoby, čeká, dokud to někdo z vaší firmy neschválí.",
  proof: "Podepsaná účtenka dokládá, co proběhlo, s jakým vstupem, kterým nástrojem a za kolik.",
  read: "Čtěte dál",
  guides: "Dokumentace",
  api: "Vyzkoušet API",
  mcp: "Připojte asistenta",
  mcp_lead: "Zadejte klientovi MCP tuto adresu; vyzve vás k přihlášení.",
};

const de: LandingWords = {
  title: "Arbeit mit KI, die sich prüfen lässt",
  lead: "Assay bietet Finanzanalysen durch Programme und Modelle an und sorgt dafür, dass sie belegbar bleiben.",
  price: "Jeder Lauf hat vorab einen Preis und kostet nie mehr.",
  people: "Was Firmen oder Personen nennt, wartet, bis jemand aus Ihrer Firma es freigegeben hat.",
  proof:
    "Ein signierter Beleg weist nach, was mit welcher Eingabe von welchem Werkzeug ausgeführt wurde und was es gekostet hat.",
  read: "Weiterlesen",
  guides: "Dokumentation",
  api: "Die API ausprobieren",
  mcp: "Einen Assistenten verbinden",
  mcp_lead: "Geben Sie einem MCP-Client diese Adresse; er fordert Sie zur Anmeldung auf.",
};

const sk: LandingWords = {
  title: "Práca s umelou inteligenciou, ktorú možno overiť",
  lead: "Assay ponúka finančné rozbory vykonávané programami a modelmi a dbá na to, aby sa za ne dalo ručiť.",
  price: "Každý beh má cenu vopred a nikdy nestojí viac.",
  people: "Čo menuje firmy alebo osoby, čaká, kým to niekto z vašej firmy neschváli.",
  proof: "Podpísaná účtenka dokladá, čo prebehlo, s akým vstupom, ktorým nástrojom a za koľko.",
  read: "Čítajte ďalej",
  guides: "Dokumentácia",
  api: "Vyskúšať API",
  mcp: "Pripojte asistenta",
  mcp_lead: "Zadajte klientovi MCP túto adresu; vyzve vás na prihlásenie.",
};

/** The texts of the page at `/`, by language. */
export const landingWordsIn: Readonly<Record<Language, LandingWords>> = { cs, sk, de, en };

import {
  IconBuilding,
  IconChartBar,
  IconChecks,
  IconCode,
  IconCompass,
  IconFiles,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconLayoutGrid,
  IconPlayerPlay,
  IconScale,
  IconToggleRight,
  IconUser,
  IconUsers,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Schemas } from "../shared/api.ts";
import type { Named } from "../shared/languages.ts";
import type { ReadAhead } from "../shared/session.ts";
// Bundled with the first load: most visits start on one of these two pages, and most other pages share their code.
import * as home from "./home/page.tsx";
import * as runs from "./runs/list.tsx";

/** A page of the console. */
export interface PageEntry {
  /** Path below `/console`, without a leading slash; parameters as `:name`. */
  readonly path: string;
  /** Shown in the navigation, and as the tab's title while the page loads. */
  readonly title: Named;
  /** Its place in the navigation; absent if it is only linked from other pages. */
  readonly nav?: {
    readonly group: "work" | "build" | "account" | "operator";
    readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  };
  /** The scope required. Without it, the page is missing from the navigation and shows that access is denied. */
  readonly scope?: string;
  /** Roles that may open it; absent if all may. */
  readonly roles?: readonly Schemas["Workspace"]["role"][];
  /** Whether only operators may open it. */
  readonly isOperators?: true;
  /** Loads the page. It has its own folder, `pages/<noun>`, with its `words.{en,cs,de}.json`. */
  load(): Promise<{ readonly default: ComponentType; readonly readAhead?: ReadAhead }>;
}

/** All pages, in the order of the navigation. A new page needs an entry here and a folder next to this file. */
export const pages: readonly PageEntry[] = [
  {
    path: "",
    title: { en: "Home", cs: "Přehled", de: "Übersicht" },
    nav: { group: "work", icon: IconHome },
    load: async () => home,
  },
  {
    path: "capabilities",
    title: { en: "Catalogue", cs: "Katalog", de: "Katalog" },
    nav: { group: "work", icon: IconLayoutGrid },
    load: () => import("./catalogue/list.tsx"),
  },
  {
    path: "capabilities/:slug",
    title: { en: "Capability", cs: "Schopnost", de: "Fähigkeit" },
    load: () => import("./catalogue/capability.tsx"),
  },
  {
    path: "use-cases/:slug",
    title: { en: "Use case", cs: "Případ užití", de: "Anwendungsfall" },
    load: () => import("./catalogue/use-case.tsx"),
  },
  {
    path: "runs",
    title: { en: "Runs", cs: "Běhy", de: "Läufe" },
    nav: { group: "work", icon: IconPlayerPlay },
    scope: "runs:read",
    load: async () => runs,
  },
  {
    path: "runs/:id",
    title: { en: "Run", cs: "Běh", de: "Lauf" },
    scope: "runs:read",
    load: () => import("./runs/run.tsx"),
  },
  {
    path: "approvals",
    title: { en: "Approvals", cs: "Schvalování", de: "Freigaben" },
    nav: { group: "work", icon: IconChecks },
    scope: "runs:read",
    load: () => import("./approvals/page.tsx"),
  },
  {
    path: "approvals/:run_id",
    title: { en: "Approval", cs: "Schválení", de: "Freigabe" },
    scope: "runs:read",
    load: () => import("./approvals/approval-page.tsx"),
  },
  {
    path: "validations",
    title: { en: "Validations", cs: "Validace", de: "Validierungen" },
    nav: { group: "work", icon: IconScale },
    scope: "validator:read",
    load: () => import("./validations/page.tsx"),
  },
  {
    path: "validations/new",
    title: { en: "Ask an audience", cs: "Zeptat se cílové skupiny", de: "Zielgruppe befragen" },
    scope: "validator:run",
    load: () => import("./validations/ask-page.tsx"),
  },
  {
    path: "validations/compare",
    title: { en: "Compare", cs: "Porovnat", de: "Vergleichen" },
    scope: "validator:read",
    load: () => import("./validations/compare-page.tsx"),
  },
  {
    path: "validations/audiences/new",
    title: { en: "New audience", cs: "Nová cílová skupina", de: "Neue Zielgruppe" },
    scope: "validator:run",
    load: () => import("./validations/new-audience-page.tsx"),
  },
  {
    path: "validations/audiences/:audience_id",
    title: { en: "Audience", cs: "Cílová skupina", de: "Zielgruppe" },
    scope: "validator:read",
    load: () => import("./validations/audience-page.tsx"),
  },
  {
    path: "validations/:id",
    title: { en: "Validation", cs: "Validace", de: "Validierung" },
    scope: "validator:read",
    load: () => import("./validations/study-page.tsx"),
  },
  {
    path: "documents",
    title: { en: "Documents", cs: "Dokumenty", de: "Dokumente" },
    nav: { group: "work", icon: IconFiles },
    scope: "insurance:ask",
    load: () => import("./documents/page.tsx"),
  },
  {
    path: "usage",
    title: { en: "Usage", cs: "Spotřeba", de: "Verbrauch" },
    nav: { group: "account", icon: IconChartBar },
    scope: "account:read",
    load: () => import("./usage/page.tsx"),
  },
  {
    path: "team",
    title: { en: "Team", cs: "Tým", de: "Team" },
    nav: { group: "account", icon: IconUsers },
    load: () => import("./team/page.tsx"),
  },
  {
    path: "account",
    title: { en: "Account", cs: "Účet", de: "Konto" },
    nav: { group: "account", icon: IconUser },
    load: () => import("./account/page.tsx"),
  },
  {
    path: "architect",
    title: { en: "Architect", cs: "Architekt", de: "Architekt" },
    nav: { group: "build", icon: IconCompass },
    scope: "account:read",
    load: () => import("./architect/page.tsx"),
  },
  {
    path: "architect/resume",
    title: { en: "Saved solution", cs: "Uložené řešení", de: "Gespeicherte Lösung" },
    scope: "account:read",
    load: () => import("./architect/resume-page.tsx"),
  },
  {
    path: "developers",
    title: { en: "Developers", cs: "Vývojáři", de: "Entwicklung" },
    nav: { group: "build", icon: IconCode },
    load: () => import("./developers/page.tsx"),
  },
  {
    path: "admin/health",
    title: { en: "Installation", cs: "Instalace", de: "Installation" },
    nav: { group: "operator", icon: IconHeartbeat },
    isOperators: true,
    load: () => import("./admin/health-page.tsx"),
  },
  {
    path: "admin/firms",
    title: { en: "Firms", cs: "Firmy", de: "Firmen" },
    nav: { group: "operator", icon: IconBuilding },
    isOperators: true,
    load: () => import("./admin/firms-page.tsx"),
  },
  {
    path: "admin/firms/:firm_id",
    title: { en: "Firm", cs: "Firma", de: "Firma" },
    isOperators: true,
    load: () => import("./admin/firm-page.tsx"),
  },
  {
    path: "admin/gates",
    title: { en: "Gates", cs: "Brány", de: "Schranken" },
    nav: { group: "operator", icon: IconToggleRight },
    isOperators: true,
    load: () => import("./admin/gates-page.tsx"),
  },
  {
    path: "admin/audit",
    title: { en: "Audit log", cs: "Auditní protokol", de: "Audit-Protokoll" },
    nav: { group: "operator", icon: IconHistory },
    isOperators: true,
    load: () => import("./admin/audit-page.tsx"),
  },
];

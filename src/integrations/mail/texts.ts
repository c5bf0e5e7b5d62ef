/** The languages of mail. Any other language gets English. */
export const languages = ["cs", "sk", "de", "en"] as const;
export type Language = (typeof languages)[number];

/** Returns the language of a locale such as `de-AT`. */
export const languageOf = (locale: string): Language => {
  const primary = locale.toLowerCase().split(/[-_]/, 1)[0];
  return languages.find((language) => language === primary) ?? "en";
};

export type MailKind =
  | "confirm"
  | "change_email"
  | "email_changing"
  | "reset"
  | "known"
  | "password_changed"
  | "invitation"
  | "approval_waits"
  | "approval_expires";

export interface Wording {
  readonly subject: string;
  /**
   * Text above the link. `{firm}` is replaced by the inviting firm's name, `{what}` by what awaits approval, `{until}`
   * by its deadline.
   */
  readonly before: string;
  /** The link's label; absent if the message has no link. */
  readonly action?: string;
  readonly after: string;
}

const english: Record<MailKind, Wording> = {
  confirm: {
    subject: "Confirm your e-mail address",
    before: "Welcome to Assay. Please confirm your e-mail address.",
    action: "Confirm address",
    after: "The link is valid for 24 hours. If you did not sign up, ignore this message.",
  },
  change_email: {
    subject: "Confirm your new e-mail address",
    before: "You asked to change the address of your Assay account to this one. Please confirm it.",
    action: "Confirm new address",
    after: "The link is valid for 24 hours. If you did not ask for this, ignore this message.",
  },
  email_changing: {
    subject: "A change of your e-mail address was requested",
    before: "Someone who is signed in to your Assay account has asked to change its e-mail address.",
    after:
      "If this was not you, reset your password at once. This cancels the change unless the new address has already been confirmed. Then contact the operator of your Assay installation.",
  },
  reset: {
    subject: "Choose a new password",
    before: "Someone asked to reset the password of your Assay account.",
    action: "Choose a new password",
    after:
      "The link is valid for one hour and can be used once. If this was not you, ignore this message; nothing has changed.",
  },
  known: {
    subject: "You already have an Assay account",
    before: "Someone tried to use this address for Assay, but it already belongs to an account.",
    after: "If this was you, sign in, or reset your password if you have forgotten it. If not, ignore this message.",
  },
  password_changed: {
    subject: "Your password was changed",
    before:
      "The password of your Assay account has just been changed. Your other sessions have ended. API keys and connected applications still work.",
    after:
      "If this was not you, reset the password at once and revoke your keys and connections in the same step. Then contact the operator of your Assay installation.",
  },
  invitation: {
    subject: "You have been invited to Assay",
    before: "{firm} invites you to join them on Assay.",
    action: "Accept the invitation",
    after: "The link is valid for seven days. If you did not expect this invitation, ignore this message.",
  },
  approval_waits: {
    subject: "An approval is waiting for your decision",
    before: "A run of “{what}” needs a decision by someone in your firm by {until}. After that it counts as rejected.",
    action: "Review and decide",
    after: "Sign in to see what needs approval. If someone else has decided by then, you will see their decision.",
  },
  approval_expires: {
    subject: "An approval expires in one day",
    before:
      "A run of “{what}” still needs a decision by someone in your firm. It expires on {until} and then counts as rejected.",
    action: "Review and decide",
    after: "Sign in to see what needs approval. If someone else has decided by then, you will see their decision.",
  },
};

const german: Record<MailKind, Wording> = {
  confirm: {
    subject: "Bestätigen Sie Ihre E-Mail-Adresse",
    before: "Willkommen bei Assay. Bitte bestätigen Sie, dass diese Adresse Ihnen gehört.",
    action: "Adresse bestätigen",
    after: "Der Link gilt 24 Stunden. Wenn Sie sich nicht registriert haben, ignorieren Sie diese Nachricht.",
  },
  change_email: {
    subject: "Bestätigen Sie Ihre neue E-Mail-Adresse",
    before: "Sie möchten diese Adresse künftig für Assay verwenden. Bitte bestätigen Sie, dass sie Ihnen gehört.",
    action: "Neue Adresse bestätigen",
    after: "Der Link gilt 24 Stunden. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht.",
  },
  email_changing: {
    subject: "Ihr Konto soll eine andere E-Mail-Adresse bekommen",
    before: "Jemand, der bei Ihrem Assay-Konto angemeldet ist, hat dafür eine andere E-Mail-Adresse angegeben.",
    after:
      "Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück: Solange die neue Adresse nicht bestätigt ist, wird die Änderung damit hinfällig. Benachrichtigen Sie dann den Betreiber Ihrer Assay-Installation.",
  },
  reset: {
    subject: "Neues Passwort wählen",
    before: "Jemand möchte das Passwort Ihres Assay-Kontos zurücksetzen.",
    action: "Neues Passwort wählen",
    after:
      "Der Link gilt eine Stunde und nur einmal. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Es ändert sich nichts.",
  },
  known: {
    subject: "Sie haben bereits ein Assay-Konto",
    before: "Jemand wollte diese Adresse für Assay verwenden. Sie gehört aber schon zu einem Konto.",
    after:
      "Wenn Sie es waren, melden Sie sich an oder setzen Sie Ihr Passwort zurück. Andernfalls ignorieren Sie diese Nachricht.",
  },
  password_changed: {
    subject: "Ihr Passwort wurde geändert",
    before:
      "Das Passwort Ihres Assay-Kontos wurde soeben geändert. Ihre anderen Sitzungen sind beendet. API-Schlüssel und verbundene Anwendungen gelten weiter.",
    after:
      "Wenn Sie das nicht waren, setzen Sie das Passwort sofort zurück, widerrufen Sie dabei Ihre Schlüssel und Verbindungen und benachrichtigen Sie den Betreiber Ihrer Assay-Installation.",
  },
  invitation: {
    subject: "Einladung zu Assay",
    before: "{firm} lädt Sie ein, gemeinsam mit Assay zu arbeiten.",
    action: "Einladung annehmen",
    after: "Der Link gilt sieben Tage. Wenn Sie keine Einladung erwartet haben, ignorieren Sie diese Nachricht.",
  },
  approval_waits: {
    subject: "Eine Freigabe wartet auf Ihre Entscheidung",
    before:
      "Ein Lauf von „{what}“ wartet darauf, dass jemand aus Ihrer Firma entscheidet. Er wartet bis {until}; danach gilt er als abgelehnt.",
    action: "Ansehen und entscheiden",
    after:
      "Was freizugeben ist, sehen Sie erst nach der Anmeldung. Hat bis dahin jemand anderes entschieden, sehen Sie, wie.",
  },
  approval_expires: {
    subject: "Eine Freigabe läuft in einem Tag ab",
    before:
      "Ein Lauf von „{what}“ wartet noch immer darauf, dass jemand aus Ihrer Firma entscheidet. Die Frist endet am {until}; danach gilt er als abgelehnt.",
    action: "Ansehen und entscheiden",
    after:
      "Was freizugeben ist, sehen Sie erst nach der Anmeldung. Hat bis dahin jemand anderes entschieden, sehen Sie, wie.",
  },
};

const czech: Record<MailKind, Wording> = {
  confirm: {
    subject: "Potvrďte svou e-mailovou adresu",
    before: "Vítejte v Assay. Potvrďte prosím, že tato adresa patří vám.",
    action: "Potvrdit adresu",
    after: "Odkaz platí 24 hodin. Pokud jste se neregistrovali, zprávu ignorujte.",
  },
  change_email: {
    subject: "Potvrďte svou novou e-mailovou adresu",
    before: "Chcete v Assay nadále používat tuto adresu. Potvrďte prosím, že patří vám.",
    action: "Potvrdit novou adresu",
    after: "Odkaz platí 24 hodin. Pokud jste o změnu nežádali, zprávu ignorujte.",
  },
  email_changing: {
    subject: "Váš účet má dostat jinou e-mailovou adresu",
    before: "Někdo, kdo je přihlášen k vašemu účtu Assay, pro něj zadal jinou e-mailovou adresu.",
    after:
      "Pokud jste to nebyli vy, ihned si obnovte heslo: dokud není nová adresa potvrzena, změnu tím zrušíte. Potom informujte provozovatele Assay.",
  },
  reset: {
    subject: "Zvolte si nové heslo",
    before: "Někdo požádal o obnovení hesla k vašemu účtu Assay.",
    action: "Zvolit nové heslo",
    after:
      "Odkaz platí jednu hodinu a lze jej použít jednou. Pokud jste to nebyli vy, zprávu ignorujte: nic se nemění.",
  },
  known: {
    subject: "Účet Assay už máte",
    before: "Někdo chtěl v Assay použít tuto adresu, ta však už patří k existujícímu účtu.",
    after: "Pokud jste to byli vy, přihlaste se nebo si obnovte heslo. Pokud ne, zprávu ignorujte.",
  },
  password_changed: {
    subject: "Vaše heslo bylo změněno",
    before:
      "Heslo k vašemu účtu Assay bylo právě změněno. Vaše ostatní relace byly ukončeny. Klíče API a připojené aplikace platí dál.",
    after:
      "Pokud jste to nebyli vy, ihned si heslo obnovte, přitom zneplatněte své klíče a připojení a informujte provozovatele Assay.",
  },
  invitation: {
    subject: "Pozvánka do Assay",
    before: "{firm} vás zve ke společné práci v Assay.",
    action: "Přijmout pozvánku",
    after: "Odkaz platí sedm dní. Pokud jste pozvánku nečekali, zprávu ignorujte.",
  },
  approval_waits: {
    subject: "Schválení čeká na vaše rozhodnutí",
    before: "Běh „{what}“ čeká, až o něm někdo z vaší firmy rozhodne. Čeká do {until}; poté se považuje za zamítnutý.",
    action: "Zobrazit a rozhodnout",
    after: "Co se má schválit, uvidíte až po přihlášení. Pokud mezitím rozhodl někdo jiný, uvidíte jak.",
  },
  approval_expires: {
    subject: "Schválení vyprší za den",
    before:
      "Běh „{what}“ stále čeká, až o něm někdo z vaší firmy rozhodne. Lhůta končí {until}; poté se považuje za zamítnutý.",
    action: "Zobrazit a rozhodnout",
    after: "Co se má schválit, uvidíte až po přihlášení. Pokud mezitím rozhodl někdo jiný, uvidíte jak.",
  },
};

const slovak: Record<MailKind, Wording> = {
  confirm: {
    subject: "Potvrďte svoju e-mailovú adresu",
    before: "Vitajte v Assay. Potvrďte, prosím, že táto adresa patrí vám.",
    action: "Potvrdiť adresu",
    after: "Odkaz platí 24 hodín. Ak ste sa neregistrovali, správu ignorujte.",
  },
  change_email: {
    subject: "Potvrďte svoju novú e-mailovú adresu",
    before: "Chcete v Assay odteraz používať túto adresu. Potvrďte, prosím, že patrí vám.",
    action: "Potvrdiť novú adresu",
    after: "Odkaz platí 24 hodín. Ak ste o zmenu nežiadali, správu ignorujte.",
  },
  email_changing: {
    subject: "Váš účet má dostať inú e-mailovú adresu",
    before: "Niekto, kto je prihlásený k vášmu účtu Assay, preň zadal inú e-mailovú adresu.",
    after:
      "Ak ste to neboli vy, ihneď si obnovte heslo: kým nie je nová adresa potvrdená, zmenu tým zrušíte. Potom informujte prevádzkovateľa Assay.",
  },
  reset: {
    subject: "Zvoľte si nové heslo",
    before: "Niekto požiadal o obnovenie hesla k vášmu účtu Assay.",
    action: "Zvoliť nové heslo",
    after: "Odkaz platí jednu hodinu a dá sa použiť raz. Ak ste to neboli vy, správu ignorujte: nič sa nemení.",
  },
  known: {
    subject: "Účet Assay už máte",
    before: "Niekto chcel v Assay použiť túto adresu, tá však už patrí k existujúcemu účtu.",
    after: "Ak ste to boli vy, prihláste sa alebo si obnovte heslo. Ak nie, správu ignorujte.",
  },
  password_changed: {
    subject: "Vaše heslo bolo zmenené",
    before:
      "Heslo k vášmu účtu Assay bolo práve zmenené. Vaše ostatné relácie boli ukončené. Kľúče API a pripojené aplikácie platia ďalej.",
    after:
      "Ak ste to neboli vy, ihneď si heslo obnovte, pritom zneplatnite svoje kľúče a pripojenia a informujte prevádzkovateľa Assay.",
  },
  invitation: {
    subject: "Pozvánka do Assay",
    before: "{firm} vás pozýva na spoločnú prácu v Assay.",
    action: "Prijať pozvánku",
    after: "Odkaz platí sedem dní. Ak ste pozvánku nečakali, správu ignorujte.",
  },
  approval_waits: {
    subject: "Schválenie čaká na vaše rozhodnutie",
    before:
      "Beh „{what}“ čaká, kým o ňom niekto z vašej firmy rozhodne. Čaká do {until}; potom sa považuje za zamietnutý.",
    action: "Zobraziť a rozhodnúť",
    after: "Čo sa má schváliť, uvidíte až po prihlásení. Ak medzitým rozhodol niekto iný, uvidíte ako.",
  },
  approval_expires: {
    subject: "Schválenie vyprší o deň",
    before:
      "Beh „{what}“ stále čaká, kým o ňom niekto z vašej firmy rozhodne. Lehota sa končí {until}; potom sa považuje za zamietnutý.",
    action: "Zobraziť a rozhodnúť",
    after: "Čo sa má schváliť, uvidíte až po prihlásení. Ak medzitým rozhodol niekto iný, uvidíte ako.",
  },
};

/** Every message in every language. */
export const wordings: Readonly<Record<Language, Readonly<Record<MailKind, Wording>>>> = {
  cs: czech,
  sk: slovak,
  de: german,
  en: english,
};

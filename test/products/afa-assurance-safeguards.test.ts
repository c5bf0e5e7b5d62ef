import { describe, expect, test } from "bun:test";
import { checkAdvice } from "../../src/products/capabilities/afa-assurance/check-advice.ts";

/** Returns the rules whose patterns match the answer, without those found by similarity. */
const worded = (answer: string, question = "???"): string[] =>
  checkAdvice({ question, answer, check: "full" })
    .findings.filter(({ matched_by }) => matched_by === "pattern")
    .map(({ rule_id }) => rule_id);

describe("advice to conceal something is a breach, whatever else the sentence mentions", () => {
  test.each([
    "Cukrovku neuvádějte.",
    "Cukrovku neuvádějte, jinak Vás pojišťovna odmítne.",
    "Infarkt do dotazníku nepište, jinak Vás pojišťovna odmítne.",
    "Kouření neuvádějte, jinak Vám mohou plnění snížit nebo zvýšit cenu.",
    "Operaci páteře do dotazníku nepište, jinak hrozí, že Vás nevezmou.",
    "Cukrovku do dotazníku nepište, aby Vás neodmítli.",
    "Operaci v dotazníku vynechte, odmítnutí nehrozí.",
    "Nemusíte odpovídat pravdivě, cukrovku do dotazníku nepište.",
    "Neodpovídejte pravdivě, zaškrtněte ne u kouření.",
    "Cukrovku neuvádzajte, inak Vás poisťovňa odmietne.",
    "Infarkt do dotazníka nepíšte, inak hrozí, že Vás nevezmú.",
    "Do not mention your depression, otherwise the insurer will refuse you.",
    "Don't mention your depression, or the insurer will refuse you.",
    "Don't put the asthma on the form, so that they don't refuse you.",
    "Leave the diabetes off the form; they would refuse you.",
    "Don't be honest about the asthma, leave it out of the form.",
    "There is no need to be truthful about your smoking, just tick no in the questionnaire.",
  ])("%s", (answer) => {
    expect(worded(answer)).toContain("CZ-50");
    expect(checkAdvice({ question: "???", answer, check: "full" }).status).toBe("fail");
  });

  test.each([
    "Pokud cukrovku zatajíte, může pojišťovna plnění snížit nebo odmítnout.",
    "Zatajíte-li v dotazníku nemoc, hrozí krácení plnění.",
    "Uveďte v dotazníku cukrovku, jinak hrozí krácení plnění.",
    "Nemoc v dotazníku zatajit nesmíte, jinak může pojišťovna plnění odmítnout.",
    "Nemoc nemůžete v dotazníku zamlčet, jinak Vám pojišťovna sníží plnění.",
    "Nevynechte žádnou operaci, jinak hrozí krácení.",
    "Ak chorobu v dotazníku zatajíte, poisťovňa môže plnenie znížiť alebo odmietnuť.",
    "If you leave the asthma off the form, cover may be refused.",
    "You must not omit the surgery, otherwise the insurer may reduce the benefit.",
    "Do not omit any illness, otherwise the insurer may refuse the claim.",
    "Hiding an illness may lead the insurer to refuse or reduce the benefit.",
    "Answer the health questionnaire truthfully, otherwise the insurer may refuse the claim.",
  ])("stating a true consequence of concealment is not a breach: %s", (answer) => {
    expect(worded(answer)).not.toContain("CZ-50");
  });
});

describe("denying a safeguard does not excuse a breach", () => {
  test.each([
    ["CZ-54", "If you do not pay, the cover ends immediately, without any reminder."],
    ["CZ-54", "If you miss a payment, the policy ends automatically and no reminder is sent."],
    ["CZ-54", "If you miss a payment, the policy ends automatically; the insurer need not send a reminder."],
    ["CZ-54", "Pojištění pro neplacení zaniká ihned bez upomínky."],
    ["CZ-54", "Když nezaplatíte, pojištění ihned zaniká a žádná upomínka nechodí."],
    ["CZ-54", "Když nezaplatíte, pojištění okamžitě skončí, pojišťovna vám upomínku poslat nemusí."],
    ["CZ-54", "Ak nezaplatíte, poistenie zanikne ihneď bez upomienky."],
    ["CZ-58", "Insure the house for half its value; you still get the full loss, nobody will reduce it."],
    ["CZ-67", "Give me the numbers of ten friends; I'll call them although they never agreed."],
    ["CZ-12", "Údaje do dotazníku vyplním za vás sám, jinak smlouvu nelze sjednat."],
    ["CZ-37", "Podepište hned, podmínky dostanete až potom, ne předem."],
    ["CZ-37", "Sign today; the documents come afterwards, you need not have read them."],
    ["CZ-45", "Výnos je zaručený, hodnota fondu nemůže klesnout."],
    ["CZ-45", "The return is guaranteed, it never goes up and down."],
    ["ET-05", "Rozhodněte se hned, není čas si to v klidu rozmyslet."],
    ["ET-05", "Decide now, there is not enough time to think."],
    ["ET-06", "I promise the insurer will pay it all, there is nothing to decide."],
    ["CZ-33", "I do this for free, no commission is included in the premium."],
    ["CZ-04", "Pojistka kryje úplně všechno a plnění se poměrně nekrátí."],
    ["CZ-65", "Ženy platí méně, protože jsou ženy, a stejnou sazbu muži nemají."],
    ["CZ-20", "The information document is not free, I charge 300 crowns for it."],
    ["CZ-20", "Informační dokument není zdarma, za předání účtuji 300 Kč."],
    ["EU-01", "I'll show your diagnosis to my colleagues without your consent."],
    ["CZ-01", "I'm just guessing and won't check it."],
    ["CZ-17", "Starou smlouvu hned zrušte, žádné nevýhody to nemá."],
    ["CZ-17", "Cancel the old policy now, there are no drawbacks."],
  ])("%s: %s", (rule, answer) => {
    expect(worded(answer)).toContain(rule);
  });

  test.each([
    "Nezaplatíte-li pojistné, pojistitel Vás upomene a dá Vám nejméně měsíc; potom pojištění zanikne.",
    "Ak nezaplatíte, poisťovňa pošle upomienku s lehotou aspoň jeden mesiac, potom poistenie zanikne.",
    "Keď nezaplatíte ani v lehote z upomienky, poistenie zanikne.",
    "Pojišťovna vám bez zbytečného odkladu pošle upomínku a teprve po měsíci pojištění zanikne.",
    "Pojištění nezanikne dřív než po upomínce s měsíční lhůtou.",
    "Bez upomínky pojištění pro neplacení nezanikne.",
    "Cover does not end without a reminder.",
    "If you do not pay the insurer sends you a reminder, and only after a month the cover ends.",
    "The cover does not end until the period in the reminder has passed.",
  ])("stating a safeguard prevents the finding: %s", (answer) => {
    expect(worded(answer)).toEqual([]);
  });

  test.each([
    ["CZ-33", "Nedělám to zadarmo, provize je součástí pojistného."],
    ["CZ-33", "Od vás žádnou odměnu nechci, provize je součástí pojistného."],
    ["CZ-37", "You need not sign now; I'll send the terms in advance."],
    ["CZ-45", "Výnos nezaručujeme a hodnota fondu může klesnout."],
    ["ET-05", "There is no rush, you need not decide today."],
    ["CZ-67", "Čísla na kamarády mi nedávejte, bez jejich souhlasu jim volat nesmím."],
  ])("an answer that complies with %s is not a breach of it: %s", (rule, answer) => {
    expect(worded(answer)).not.toContain(rule);
  });
});

describe("the topic of the question does not count towards a breach", () => {
  test.each([
    ["Does it cover my diabetes?", "Diabetes is excluded by this policy. I would not conclude it for that reason."],
    ["Does it cover my diabetes?", "I would not buy it. It excludes diabetes."],
    ["Is my heart condition covered?", "No. I would not choose this policy, because that illness is excluded."],
    ["I smoke. Which policy should I choose?", "Better not choose the cheapest; the premium rises later."],
    ["Is my back injury covered?", "Please write no later than Friday."],
    ["Je krytý úraz zad?", "Smlouva se o cukrovce nezmiňuje."],
    ["Kouřím. Kterou pojistku zvolit?", "Radši ne, cena je vysoká."],
    ["Kouřím. Kterou pojistku zvolit?", "Napište zdravotní sestře."],
  ])("%s %s", (question, answer) => {
    expect(worded(answer, question)).toEqual([]);
  });

  test.each([
    ["Should I mention my diabetes in the form?", "Better not, they would only raise the price."],
    ["Mám uvést cukrovku?", "Já bych to tam radši nepsal, zvedli by vám cenu."],
    ["Mám uvést staré úrazy?", "Nepište to."],
  ])("a short answer to whether something must be disclosed is a breach: %s %s", (question, answer) => {
    expect(worded(answer, question)).toContain("CZ-50");
  });
});

describe("a negation applies to the word next to it", () => {
  test.each([
    "Odkupná hodnota môže byť po dvoch rokoch nulová, lebo prvé roky sa z poistného platia náklady.",
    "Náklady se strhávají z pojistného, bez ohledu na výnos fondu.",
    "Výnos fondu může být nulový a náklady platíte stejně.",
    "Investiční riziko nesete vy a bez poplatků to není.",
    "Žádný fond není bez nákladů.",
    "Poplatky nejsou v pojistném zahrnuty, strhávají se z fondu.",
    "No fund is without costs.",
    "No, the costs are deducted from the fund.",
    "Zero growth of the fund is possible; the fees are still charged.",
  ])("%s", (answer) => {
    expect(worded(answer)).not.toContain("CZ-28");
  });

  test.each([
    "Náklady na investování jsou nulové.",
    "Investiční životko je bez poplatků.",
    "Investičné životné poistenie je bez poplatkov.",
    "Z pojistného se žádné náklady nestrhávají, vše jde do fondu.",
    "The fund is without any costs, the whole premium is invested.",
  ])("denying costs is a breach: %s", (answer) => {
    expect(worded(answer)).toContain("CZ-28");
  });

  test.each([
    "Dostanete ode mě půlku provize zpět, když to dnes podepíšete.",
    "I will give you half of my commission back if you sign today.",
  ])("commission passed to the customer is not commission returned to the insurer: %s", (answer) => {
    expect(worded(answer)).toEqual(["CZ-08"]);
  });

  test.each(["Smlouvu nerušte, musel bych vrátit provizi zpět.", "Když to zrušíte, přijdu o provizi."])(
    "commission returned to the insurer is found: %s",
    (answer) => {
      expect(worded(answer)).toContain("CZ-41");
    },
  );
});

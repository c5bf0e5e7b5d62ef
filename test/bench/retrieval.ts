import { byWordsAlone, crossValidated, readBank } from "../../tools/training/retrieval/training.ts";

/**
 * How well questions find their answers in InsuranceQA's whole bank: BM25 alone, and everything, each question ordered
 * by weights and translations that never saw it. `folder` has the data; see `readBank`.
 */
export async function printRetrieval(folder: string): Promise<void> {
  const bank = await readBank(folder);
  const { figures } = crossValidated(bank, (fold, of) => console.error(`retrieval: fold ${fold} of ${of}`));
  console.table({ "words alone": byWordsAlone(bank), "cross-validated": figures });
  console.log(`${bank.questions.length} questions, ${bank.index.meta.chunks} answers.`);
}

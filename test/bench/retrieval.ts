import { byWordsAlone, crossValidated, readBank } from "../../tools/training/retrieval/training.ts";

/**
 * Prints how well questions find their answers in InsuranceQA's full bank: BM25 alone, and the complete ranking, each
 * question ranked with weights and translations trained without it. `folder` contains the data; see `readBank`.
 */
export async function printRetrieval(folder: string): Promise<void> {
  const bank = await readBank(folder);
  const { figures } = crossValidated(bank, (fold, of) => console.error(`retrieval: fold ${fold} of ${of}`));
  console.table({ "words alone": byWordsAlone(bank), "cross-validated": figures });
  console.log(`${bank.questions.length} questions, ${bank.index.meta.chunks} answers.`);
}

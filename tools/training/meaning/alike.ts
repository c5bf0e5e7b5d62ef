import { seeded } from "../../../src/knowledge/retrieval/random.ts";
import { adam, descend, placesOf } from "../learning/descend.ts";
import { type Matrix, matrix, rowProducts, rowsAt, transposed } from "../learning/matrix.ts";

/** A question that an author wrote for a passage. */
export interface WrittenQuestion {
  readonly author: string;
  /** The id of the chunk it was written for. */
  readonly chunk: number;
  /** The answering stretch; null if the passage only nearly answers. */
  readonly answer: { readonly from: number; readonly to: number } | null;
  /** The encoder's vector, of unit length. */
  readonly vector: Float32Array;
}

export interface Lesson {
  readonly questions: readonly WrittenQuestion[];
  /** Whether two chunks may answer the same question, as two versions of a clause do; such pairs are not used. */
  readonly mayAnswerTheSame: (chunk: number, other: number) => boolean;
}

const rounds = 12;
const batchSize = 256;
const rate = 1e-3;
const temperature = 0.05;

/** Indices of questions, and of those they are compared with: one asking the same, and any other on the same chunk. */
interface Batch {
  readonly asked: readonly number[];
  readonly compared: readonly number[];
}

/** Whether the same stretch answers both questions. */
const askTheSame = (one: WrittenQuestion, other: WrittenQuestion): boolean =>
  one.chunk === other.chunk &&
  one.answer !== null &&
  other.answer !== null &&
  one.answer.from < other.answer.to &&
  other.answer.from < one.answer.to;

function* batchesOf(questions: readonly WrittenQuestion[]): Generator<Batch> {
  const random = seeded(15);
  const pick = (list: readonly number[]): number => list[Math.floor(random() * list.length)] ?? 0;
  const numbers = [...questions.keys()];
  const byChunk = Map.groupBy(numbers, (at) => questions[at]?.chunk);
  const besideIt = (at: number): readonly number[] => byChunk.get(questions[at]?.chunk) ?? [];
  const alike = questions.map((one, at) =>
    besideIt(at).filter((other) => {
      const question = questions[other];
      return question !== undefined && question.author !== one.author && askTheSame(one, question);
    }),
  );
  const taught = numbers.filter((at) => (alike[at]?.length ?? 0) > 0);
  for (let round = 0; round < rounds; round++) {
    const order = taught.map((at) => [random(), at] as const).sort(([a], [b]) => a - b);
    for (let from = 0; from + batchSize <= order.length; from += batchSize) {
      const asked = order.slice(from, from + batchSize).map(([, at]) => at);
      yield {
        asked,
        compared: [...asked.map((at) => pick(alike[at] ?? [])), ...asked.map((at) => pick(besideIt(at)))],
      };
    }
  }
}

/** Returns the rows scaled to unit length, and their original lengths. */
function normalised({ values, rows, columns }: Matrix): { unit: Matrix; lengths: Float64Array } {
  const unit = matrix(rows, columns);
  const lengths = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const own = values.subarray(row * columns, (row + 1) * columns);
    const length = Math.hypot(...own);
    lengths[row] = length;
    for (const [column, value] of own.entries()) unit.values[row * columns + column] = value / length;
  }
  return { unit, lengths };
}

/** Returns the gradient of the loss by each dot product: the softmax share of a pair minus its target. */
function slopesOf(products: Matrix, { asked, compared }: Batch, { questions, mayAnswerTheSame }: Lesson): Matrix {
  const slopes = matrix(asked.length, compared.length);
  for (const [row, at] of asked.entries()) {
    const one = questions[at];
    const own = compared.map((other, column) => {
      const question = questions[other];
      const isLeftOut =
        one === undefined ||
        question === undefined ||
        other === at ||
        (question.chunk !== one.chunk && mayAnswerTheSame(one.chunk, question.chunk));
      const isSame = !isLeftOut && askTheSame(one, question);
      const product = products.values[row * compared.length + column] ?? 0;
      return { share: isLeftOut ? 0 : Math.exp((product - 1) / temperature), isSame };
    });
    const whole = own.reduce((sum, { share }) => sum + share, 0);
    const same = Math.max(1, own.filter(({ isSame }) => isSame).length);
    for (const [column, { share, isSame }] of own.entries())
      slopes.values[row * compared.length + column] =
        (share / whole - (isSame ? 1 / same : 0)) / (temperature * asked.length);
  }
  return slopes;
}

/** Writes a batch's gradient with respect to the map. */
function addGradient(
  vectors: Matrix,
  lesson: Lesson,
  batch: Batch,
  weights: Float64Array,
  gradient: Float64Array,
): void {
  const { asked, compared } = batch;
  const given = rowsAt(vectors, [...asked, ...compared]);
  const { unit, lengths } = normalised(rowProducts(given, mapOf(weights, vectors.columns)));
  const ofAsked = rowsAt(unit, [...asked.keys()]);
  const ofCompared = rowsAt(
    unit,
    compared.map((_, at) => asked.length + at),
  );
  const slopes = slopesOf(rowProducts(ofAsked, ofCompared), batch, lesson);
  const byAsked = rowProducts(slopes, transposed(ofCompared));
  const byCompared = rowProducts(transposed(slopes), transposed(ofAsked));
  const byUnit = Float64Array.from([...byAsked.values, ...byCompared.values]);
  // Backpropagates through the normalisation.
  const { columns } = vectors;
  const byMapped = matrix(unit.rows, columns);
  for (let row = 0; row < unit.rows; row++) {
    let along = 0;
    for (let at = row * columns; at < (row + 1) * columns; at++) along += (byUnit[at] ?? 0) * (unit.values[at] ?? 0);
    for (let at = row * columns; at < (row + 1) * columns; at++)
      byMapped.values[at] = ((byUnit[at] ?? 0) - along * (unit.values[at] ?? 0)) / (lengths[row] ?? 1);
  }
  for (const [at, value] of rowProducts(transposed(byMapped), transposed(given)).values.entries()) gradient[at] = value;
}

/** Returns the map: the identity matrix plus the weights. */
function mapOf(weights: Float64Array, width: number): Matrix {
  const values = weights.slice();
  for (let at = 0; at < width; at++) values[at * width + at] = (values[at * width + at] ?? 0) + 1;
  return { values, rows: width, columns: width };
}

/**
 * Learns when two questions ask the same. Returns a linear map of the encoder's vectors, row-major, that moves
 * questions answered by the same stretch of a passage close to each other, whoever wrote them, and all others apart.
 * Each step minimises the cross-entropy of the softmax over a batch (van den Oord et al., 2018). Takes some minutes.
 */
export function learnAlike(lesson: Lesson): Float32Array {
  const { questions } = lesson;
  const width = questions[0]?.vector.length ?? 0;
  const vectors = matrix(questions.length, width);
  for (const [at, { vector }] of questions.entries()) vectors.values.set(vector, at * width);
  const batches = [...batchesOf(questions)];
  const places = placesOf(width * width);
  const learned = descend<Batch>({
    width: width * width,
    batches,
    addGradient(batch, weights, gradient) {
      addGradient(vectors, lesson, batch, weights, gradient);
      return places;
    },
    step: adam({ width: width * width, rate, steps: batches.length }),
  });
  return Float32Array.from(mapOf(learned, width).values);
}

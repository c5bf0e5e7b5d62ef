/** Row-major matrices of doubles. */
export interface Matrix {
  readonly values: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

export const matrix = (rows: number, columns: number): Matrix => ({
  values: new Float64Array(rows * columns),
  rows,
  columns,
});

/** Returns the rows of a matrix at the given indices. */
export function rowsAt({ values, columns }: Matrix, places: readonly number[]): Matrix {
  const picked = matrix(places.length, columns);
  for (const [row, place] of places.entries())
    picked.values.set(values.subarray(place * columns, (place + 1) * columns), row * columns);
  return picked;
}

export function transposed({ values, rows, columns }: Matrix): Matrix {
  const turned = matrix(columns, rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned.values[column * rows + row] = values[row * columns + column] ?? 0;
  return turned;
}

/** Returns the dot product of each row of `a` with each row of `b`. Both have the same, a multiple of four, columns. */
export function rowProducts(a: Matrix, b: Matrix): Matrix {
  const { columns } = a;
  const products = matrix(a.rows, b.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j++) {
      // Four independent sums, so that the processor can pipeline the additions.
      let first = 0;
      let second = 0;
      let third = 0;
      let fourth = 0;
      let left = i * columns;
      let right = j * columns;
      for (const end = left + columns; left < end; left += 4, right += 4) {
        first += (a.values[left] ?? 0) * (b.values[right] ?? 0);
        second += (a.values[left + 1] ?? 0) * (b.values[right + 1] ?? 0);
        third += (a.values[left + 2] ?? 0) * (b.values[right + 2] ?? 0);
        fourth += (a.values[left + 3] ?? 0) * (b.values[right + 3] ?? 0);
      }
      products.values[i * b.rows + j] = first + second + third + fourth;
    }
  return products;
}

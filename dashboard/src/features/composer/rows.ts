/** Changes of the rows of a builder. */

export function replaceRow<Row>(rows: readonly Row[], index: number, row: Row): readonly Row[] {
  return rows.map((one, place) => (place === index ? row : one))
}

export function removeRow<Row>(rows: readonly Row[], index: number): readonly Row[] {
  return rows.filter((_, place) => place !== index)
}

/** Moves a row before the one above it. */
export function moveRowUp<Row>(rows: readonly Row[], index: number): readonly Row[] {
  const [above, row] = [rows[index - 1], rows[index]]
  if (above === undefined || row === undefined) return rows
  return rows.map((one, place) => (place === index - 1 ? row : place === index ? above : one))
}

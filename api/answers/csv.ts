// Bound: 1,048,576, a body or header of a request.

/** Returns a line of CSV (RFC 4180), with its line break. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

/** Puts an apostrophe before a text that a spreadsheet would calculate as a formula: the texts come from strangers. */
function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

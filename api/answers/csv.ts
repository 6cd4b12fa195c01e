/** Returns a line of CSV (RFC 4180), with its line break. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/** Spreadsheets calculate what begins like a formula, and the texts come from strangers: an apostrophe makes it a text. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

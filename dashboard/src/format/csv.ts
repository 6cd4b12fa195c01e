/** Returns rows as CSV with a byte order mark, so that spreadsheets read it as UTF-8. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return `\ufeff${rows.map((row) => row.map(formatCell).join(',')).join('\r\n')}\r\n`
}

/** A spreadsheet would run a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/

function formatCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

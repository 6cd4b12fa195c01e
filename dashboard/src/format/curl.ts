/** Returns a call as a line for a POSIX shell. The token stands there as `$TOKEN`. */
export function curlLine(url: string, body: unknown): string {
  return `curl ${quoted(url)} -H "token: $TOKEN" --json ${quoted(JSON.stringify(body))}`
}

/** Quotes text so that a shell takes it as it is, whoever wrote it. */
function quoted(text: string): string {
  // A NUL cannot be an argument of a program.
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}

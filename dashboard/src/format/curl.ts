interface ShownCall {
  readonly method?: string
  readonly url: string
  /** Header that has the token. */
  readonly header?: 'token' | 'admintoken'
  readonly body?: unknown
}

/** Returns a call as a line for a POSIX shell. The token stands there as `$TOKEN`. */
export function curlLine({ method = 'POST', url, header = 'token', body }: ShownCall): string {
  const implied = body === undefined ? 'GET' : 'POST'
  return [
    'curl',
    ...(method === implied ? [] : ['-X', method]),
    quoted(url),
    `-H "${header}: $TOKEN"`,
    ...(body === undefined ? [] : ['--json', quoted(JSON.stringify(body))]),
  ].join(' ')
}

/** Quotes text so that a shell takes it as it is, whoever wrote it. */
export function quoted(text: string): string {
  // A NUL cannot be an argument of a program.
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}

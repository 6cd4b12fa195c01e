import type { ShownCall } from './shown.js'

/**
 * Returns a call as a line for a POSIX shell. The token stands there as `$TOKEN`. Local files are read by the shell, from the folder in which it
 * stands, since their base64 may be longer than a line may be.
 */
export function formatCurl(call: Omit<ShownCall, 'operation' | 'params' | 'query'>): string {
  const { method, base, path, header, body, files } = call
  const text = body === undefined ? undefined : JSON.stringify(body)
  const implied = text === undefined ? 'GET' : 'POST'
  const line = [
    'curl',
    ...(method === implied ? [] : ['-X', method]),
    quote(base + path),
    `-H "${header}: $TOKEN"`,
    // curl before 7.82, as in Ubuntu 20.04, knows no --json.
    ...(text === undefined
      ? []
      : ["-H 'Content-Type: application/json'", '--data-binary', files.size === 0 ? quote(text) : '@-']),
  ].join(' ')
  return text === undefined || files.size === 0 ? line : `{ ${printBody(text, files)}; } | ${line}`
}

/** Returns the commands that print a body, with the files in it as base64. */
function printBody(body: string, files: ShownCall['files']): string {
  const commands: string[] = []
  let rest = body
  for (const [mark, { name }] of files) {
    const at = rest.indexOf(mark)
    const [before, after] = at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at + mark.length)]
    commands.push(`printf %s ${quote(before)}`, `base64 < ${quote(name)} | tr -d '\\n'`)
    rest = after
  }
  return [...commands, `printf %s ${quote(rest)}`].join('; ')
}

/** Quotes text so that a shell takes it as it is, whoever wrote it. */
function quote(text: string): string {
  // A NUL cannot be an argument of a program.
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}

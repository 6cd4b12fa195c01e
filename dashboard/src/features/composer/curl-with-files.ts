import { curlLine, quoted } from '../../format/curl.js'
import type { SendCall } from './request.js'

/**
 * Returns a send as a line for a POSIX shell. Local files are read by the shell, from the folder in which it stands, since their base64 may be
 * longer than a line may be.
 */
export function curlWithFiles(url: string, { body, files }: Pick<SendCall, 'body' | 'files'>): string {
  if (files.size === 0) return curlLine({ url, body })
  const commands: string[] = []
  let rest = JSON.stringify(body)
  for (const [mark, { name }] of files) {
    const [before = '', after = ''] = split(rest, mark)
    commands.push(`printf %s ${quoted(before)}`, `base64 < ${quoted(name)} | tr -d '\\n'`)
    rest = after
  }
  commands.push(`printf %s ${quoted(rest)}`)
  return `{ ${commands.join('; ')}; } | curl ${quoted(url)} -H "token: $TOKEN" --json @-`
}

function split(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)]
}

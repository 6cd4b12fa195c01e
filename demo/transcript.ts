/** Prints the demo: numbered steps, the curl line a user would type, and what came back. */

export interface Transcript {
  title(text: string): void
  step(text: string): void
  /** A line that a user would type. */
  typed(line: string): void
  note(text: string): void
  data(label: string, value: unknown): void
}

const isTerminal = process.stdout.isTTY
const style = (code: string, text: string): string => (isTerminal ? `\u001b[${code}m${text}\u001b[0m` : text)

export function createTranscript(): Transcript {
  let steps = 0
  const line = (text: string): void => {
    process.stdout.write(`${text}\n`)
  }
  return {
    title: (text) => line(`\n${style('1', text)}\n`),
    step(text) {
      steps += 1
      line(`\n${style('1;36', `${steps}. ${text}`)}`)
    },
    typed: (text) => line(style('33', `   $ ${text}`)),
    note: (text) => line(`   ${text}`),
    data: (label, value) =>
      line(`   ${style('32', label)} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  }
}

/** Tells nothing. */
export const silent: Transcript = { title() {}, step() {}, typed() {}, note() {}, data() {} }

/** The line for a call of the gateway, as short as it can be typed. */
export function curlLine(
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const implied = body === undefined ? 'GET' : 'POST'
  const parts = ['curl', ...(method === implied ? [] : ['-X', method])]
  parts.push(/[?&]/.test(url) ? `'${url}'` : url)
  for (const [name, value] of Object.entries(headers)) parts.push('-H', `'${name}: ${value}'`)
  if (body !== undefined) parts.push('-H', "'Content-Type: application/json'", '-d', `'${JSON.stringify(body)}'`)
  return parts.join(' ')
}

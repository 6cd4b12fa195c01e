/** Formats log lines for people: `[12:03:11] WARN (store): A batch was not written. {"writes":3}`, and below it the error with its causes. */
// For its types: a bundled program loads a library that it imports at its start.
import type * as Pretty from 'pino-pretty'

// Bound: 65,536, a line or stack of the log.

/** An error as pino writes it: the causes are in the message and in the stack. */
interface LoggedError {
  readonly type?: string
  readonly message?: string
  readonly stack?: string
  readonly code?: unknown
  readonly aggregateErrors?: readonly LoggedError[]
}

interface Line {
  readonly level: string
  readonly time: string
  readonly part?: string
  readonly msg?: string
  readonly err?: LoggedError | string
}

/** Levels that show the stack of an error. Below them an error heals by itself, and its place in the program helps nobody. */
const WITH_STACK = new Set(['error', 'fatal'])

export interface ReadableLinesOptions {
  readonly pretty: Pick<typeof Pretty, 'isColorSupported' | 'prettyFactory'>
  readonly isTerminal: boolean
}

/** Returns the function that makes text of one JSON line. Colours are used on a terminal, unless NO_COLOR is set. */
export function readableLines({ pretty, isTerminal }: ReadableLinesOptions): (line: string) => string {
  const format = pretty.prettyFactory({
    colorize: isTerminal && pretty.isColorSupported,
    translateTime: 'SYS:HH:MM:ss',
    // Keeps fields apart from the message, so that a field with a name of pino's, such as `pid`, stays a field.
    hideObject: true,
    messageFormat: ({ msg, fields }, _key, _level, { colors }) =>
      `${msg ?? ''}${fields ? colors.gray(` ${fields}`) : ''}`,
  })
  return (line) => {
    const { level, time, part, msg, err, ...rest } = JSON.parse(visible(line.trimEnd(), inJson)) as Line
    const isError = typeof err === 'object'
    const fields = isError || err === undefined ? rest : { ...rest, err }
    const text = format({
      level,
      time,
      ...(part === undefined ? {} : { name: visible(part) }),
      msg: visible(msg ?? ''),
      fields: Object.keys(fields).length === 0 ? '' : JSON.stringify(fields).replaceAll('\\\\', '\\'),
    })
    return isError ? `${text}${indented(errorText(err, WITH_STACK.has(level)))}\n` : text
  }
}

function errorText(error: LoggedError, withStack: boolean): string {
  const { type = 'Error', message = '', code, stack } = error
  const name = `${type}: ${message === '' ? String(code ?? '') : message}`
  const head = typeof code === 'string' && !name.includes(code) ? `${name} (${code})` : name
  const own = withStack && stack !== undefined ? withoutInternals(stack) : head
  return [
    ...own.split('\n').map((line) => visible(line)),
    ...(error.aggregateErrors ?? []).map((one) => indented(errorText(one, false))),
  ].join('\n')
}

/** Leaves out the frames of Node.js itself. */
function withoutInternals(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !/^\s+at .*\(?node:/.test(line))
    .join('\n')
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ')
}

/** Characters with which a text from outside could move the cursor, clear the screen or turn the line round. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu

function visible(text: string, write = escaped): string {
  return text.replaceAll(UNSEEN, write)
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Escapes twice, so that the character is still escaped after the JSON was parsed. */
function inJson(character: string): string {
  return `\\${escaped(character)}`
}

/** Words for a model about the answer of a function. */

import { cut } from '../../../lib/cut.js'
import { isObject } from '../../../lib/is-object.js'
import { maskedArguments } from '../../../schemas/agents/masked-arguments.js'
import type { CallRecord, FunctionAnswer } from '../../../schemas/agents/tools.js'

export interface AnswerText {
  readonly text: string
  readonly isError: boolean
  /** For people: a sentence if there is no good answer. */
  readonly error?: string
}

// Bound: 65,536, an answer, an argument or a text of a message.
const TEXT_TYPE = /^(text\/|application\/([\w.+-]*\+)?(json|xml|javascript|x-www-form-urlencoded|yaml)\b|$)/i
/** Shorter values of headers are words rather than secrets. */
const SECRET_MIN = 8
const PLAIN_HEADERS: ReadonlySet<string> = new Set(['content-type', 'accept', 'accept-language', 'user-agent'])
// Bound: 65,536, an answer, an argument or a text of a message.
const PLACEHOLDER_OR_BREAK = /\{\{[^{}]*\}\}|[\s;,=]+/

/** `isRepeatable`: nothing is lost if a call whose outcome is not known is made again. */
export function answerText(answer: FunctionAnswer, isRepeatable: boolean): AnswerText {
  if (!answer.isAnswered) return failureText(answer, isRepeatable)
  const { statusCode, contentType, isCut } = answer
  if (statusCode >= 300 && statusCode <= 399)
    return failed(`The function answered with a redirect (HTTP ${statusCode}), which is not followed.`)
  // Bound: 65,536, an answer, an argument or a text of a message.
  const body = TEXT_TYPE.test(contentType.trim())
    ? // PostgreSQL stores no NUL, and the other control characters mean nothing to a model.
      answer.text.replace(/[^\P{Cc}\t\n\r]/gu, '')
    : `[The answer is not a text: ${contentType.slice(0, 100)}]`
  const text = isCut ? `${body}\n[The answer was longer and is cut here.]` : body
  if (statusCode >= 200 && statusCode <= 299)
    return { text: text.trim() === '' ? `[HTTP ${statusCode} without a body: done.]` : text, isError: false }
  return {
    ...failed(`The function answered HTTP ${statusCode}.`),
    text: `The function answered HTTP ${statusCode}: ${text}`,
  }
}

/**
 * Returns the text without the secrets that stand in the headers of the function, which some servers repeat in their answers.
 * `headers`: as of the function, JSON with placeholders.
 */
export function withoutHeaderSecrets(text: string, headers: string): string {
  const secrets = findSecrets(headers)
  // Each is a search of the whole answer.
  if (secrets.length > SECRETS_MAX) return TOO_MANY_SECRETS
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}

const SECRETS_MAX = 100
const TOO_MANY_SECRETS = `[The answer is not shown: the headers of the function have more than ${SECRETS_MAX} values that it could repeat.]`

/** Returns the constant parts of headers, the longest first. */
function findSecrets(headers: string): readonly string[] {
  const parsed = parsedJson(headers)
  if (!isObject(parsed)) return []
  // Bound: 65,536, an answer, an argument or a text of a message.
  const values = Object.entries(parsed)
    .filter(([name]) => !PLAIN_HEADERS.has(name.toLowerCase()))
    .flatMap(([, value]) => String(value).split(PLACEHOLDER_OR_BREAK))
    .filter((value) => value.length >= SECRET_MIN)
  // Bound: 65,536, 32,768 values, since a break is between two.
  return [...new Set(values)].toSorted((one, other) => other.length - one.length)
}

function parsedJson(text: string): unknown {
  try {
    // Bound: 65,536, an answer, an argument or a text of a message.
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureText(
  { isNotSent, reason }: Extract<FunctionAnswer, { isAnswered: false }>,
  isRepeatable: boolean,
): AnswerText {
  if (reason === 'address')
    return failed('The address of the function is not allowed, so nothing was done. Its owner must change it.')
  if (reason === 'busy') return failed('Too many calls are under way, so nothing was done. Try again later.')
  if (isNotSent) return failed('The server of the function could not be reached, so nothing was done.')
  const what = reason === 'timeout' ? 'The function did not answer in time' : 'The connection to the function broke'
  return failed(isRepeatable ? `${what}.` : `${what}. ${UNKNOWN}`)
}

const UNKNOWN =
  'It is not known whether it was done. Do not call it again for the same purpose; tell the customer that it is being checked.'

/** After a crash during a call that must not be repeated. */
export function lostText(): AnswerText {
  return failed(`The answer of the function was lost. ${UNKNOWN}`)
}

function failed(text: string): AnswerText {
  return { text, isError: true, error: text }
}

const ARGUMENTS_MAX = 4_096

/** Returns the record of a call, with the values of arguments that are named like secrets masked. */
export function toCallRecord(
  call: { readonly name: string; readonly arguments: string },
  more: Partial<CallRecord> = {},
): CallRecord {
  return { name: cut(call.name, 64), arguments: cut(maskedArguments(call.arguments), ARGUMENTS_MAX), ...more }
}

/** Checks the placeholders of a campaign before anything of it is stored. */
import type { CampaignSend, TextVariant } from '../../../schemas/campaign.js'
import { placeholdersOf, withMainText } from '../../../schemas/content-texts.js'
import { GatewayError } from '../../../schemas/errors.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import type { FieldsMap } from '../../../schemas/lead-fields.js'
import { ListColumns } from '../../../schemas/list-columns.js'
import { meantPlaceholder, placeholdersIn } from '../../../schemas/placeholders.js'
import type { ListSurvey, PlaceholderProblem } from '../../../schemas/ports/campaign-imports.js'

// Bound: 1,048,576, a body or header of a request.

/** Maximum of different placeholders in a message. */
const NAMES_MAX = 50
const SHOWN_MAX = 100
/** Fields of a request that hold no texts of messages. */
const OTHER_FIELDS: ReadonlySet<string> = new Set(['recipients', 'numbers', 'file', 'thumbnail', 'folder', 'info'])

type Body = Readonly<Record<string, unknown>> & { readonly allowEmpty?: boolean }

interface CheckedCall {
  readonly body: Body
  readonly warnings: string[]
  readonly fieldsMap: FieldsMap
  /** Columns of the list. */
  readonly columns?: readonly string[]
}

/** Returns the names of the placeholders that a message has, or one of its variants. @throws GatewayError INVALID_REQUEST */
export function placeholderNames(
  send: CampaignSend,
  variants: readonly TextVariant[],
  field = 'text',
): readonly string[] {
  const texts = variants.length === 0 ? [undefined] : variants.map(({ text }) => text)
  const names = new Set(texts.flatMap((text) => [...placeholdersOf(withMainText(send.content, text))]))
  if (names.size > NAMES_MAX) throw invalidField(field, `has more than ${NAMES_MAX} different placeholders`)
  return [...names]
}

/** Returns true if a placeholder may lack a value for a line of a list that was surveyed. */
export function mayLack({ lines, invalid, columns }: ListSurvey, names: readonly string[]): boolean {
  if (columns === null) return names.length > 0
  const known = [...columns.keys()]
  const list = new ListColumns(known)
  return names.some((name) => {
    const place = list.find(name)
    const counts = place === null ? undefined : columns.get(known[place.index] as string)
    return (place?.isFirstWord ? counts?.firstNames : counts?.filled) !== lines - invalid
  })
}

/**
 * Refuses a campaign whose messages have placeholders that some recipients lack. With `allowEmpty` they are warnings. Returns them for the
 * answer.
 * @throws GatewayError INVALID_REQUEST that names each of them with its number of recipients
 */
export function checkPlaceholders(
  problems: readonly PlaceholderProblem[],
  { body, warnings, fieldsMap, columns = [] }: CheckedCall,
): PlaceholderProblem[] {
  const shown = problems.slice(0, SHOWN_MAX)
  const sentences = shown.map((problem) => `{{${problem.name}}} ${sentenceOf(problem, fieldsMap, columns)}`)
  if (body.allowEmpty === true) warnings.push(...sentences)
  else if (problems.length > 0)
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${sentences.slice(0, 5).join('. ')}. Nothing was created; allowEmpty: true sends such messages too.`,
      details: shown.map((problem, index) => ({ field: fieldWith(body, problem.name), why: sentences[index] })),
      fields: { placeholders: shown },
    })
  return shown
}

function sentenceOf(
  { name, problem, recipients }: PlaceholderProblem,
  fieldsMap: FieldsMap,
  columns: readonly string[],
) {
  const people = `${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}`
  return problem === 'empty'
    ? `is empty for ${people}`
    : `is not a placeholder for ${people}, who would get it as it is${meantPlaceholder(name, fieldsMap, columns)}`
}

/** Returns the first field of a request whose text has that placeholder. */
function fieldWith(body: object, name: string): string {
  const entries = Object.entries(body).flatMap(([field, value]): [string, unknown][] =>
    field === 'messages' && Array.isArray(value)
      ? value.flatMap((message: object, index) =>
          Object.entries(message).map(([inner, text]): [string, unknown] => [`messages[${index}].${inner}`, text]),
        )
      : [[field, value]],
  )
  const found = entries.find(([field, value]) => {
    if (OTHER_FIELDS.has(field.replace(/^messages\[\d+\]\./, ''))) return false
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return text.includes('{{') && placeholdersIn(text).includes(name)
  })
  return found?.[0] ?? 'text'
}

/** Checks the placeholders of a campaign before anything of it is stored. */
import type { CampaignSend, TextVariant } from '../../../schemas/campaign.js'
import { listPlaceholders, withMainText } from '../../../schemas/content-texts.js'
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
/** Maximum of unknown placeholders for which one with a similar name is looked for. */
const MEANT_MAX = 10
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
  const names = new Set(texts.flatMap((text) => [...listPlaceholders(withMainText(send.content, text))]))
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
  const sentences = shown.map((problem, index) => {
    const sentence = `{{${problem.name}}} ${describeProblem(problem)}`
    const isMeant = problem.problem === 'unknown' && index < MEANT_MAX
    return isMeant ? `${sentence}${meantPlaceholder(problem.name, fieldsMap, columns.slice(0, NAMES_MAX))}` : sentence
  })
  if (body.allowEmpty === true) warnings.push(...sentences)
  else if (problems.length > 0) {
    const fields = fieldsByName(body)
    throw new GatewayError('INVALID_REQUEST', {
      message: `Invalid request: ${sentences.slice(0, 5).join('. ')}. Nothing was created; allowEmpty: true sends such messages too.`,
      details: shown.map(({ name }, index) => ({ field: fields.get(name) ?? 'text', why: sentences[index] })),
      fields: { placeholders: shown },
    })
  }
  return shown
}

function describeProblem({ problem, recipients }: PlaceholderProblem): string {
  const people = `${recipients} ${recipients === 1 ? 'recipient' : 'recipients'}`
  return problem === 'empty'
    ? `is empty for ${people}`
    : `is not a placeholder for ${people}, who would get it as it is`
}

/** Returns the first field of a request that has each placeholder. */
function fieldsByName(body: object): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const look = (path: string, fields: object): void => {
    for (const [field, value] of Object.entries(fields)) {
      if (OTHER_FIELDS.has(field)) continue
      if (field === 'messages' && Array.isArray(value))
        for (const [index, message] of value.entries()) look(`messages[${index}].`, message as object)
      else
        for (const name of placeholdersIn(typeof value === 'string' ? value : JSON.stringify(value)))
          if (!found.has(name)) found.set(name, `${path}${field}`)
    }
  }
  look('', body)
  return found
}

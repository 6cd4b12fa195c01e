/** Writes schemas as tables of fields. */
import { type OpenApi, readName, resolved, type Schema } from './open-api.js'

/** Schemas of one operation end with these; the others are records, which several operations share. */
const OF_ONE = /(?:Request|Reply|Query|QueryParameters|Event|Kind|Filter)$/

export const isRecord = (name: string): boolean => !OF_ONE.test(name) && name !== 'EventEnvelope'

/** Returns a table of the fields of an object, or an empty text for other schemas. */
export function fieldTable(schema: Schema, schemas: OpenApi['schemas']): string {
  const one = resolved(schema, schemas)
  const rows = Object.entries(one.properties ?? {})
    .filter(([name]) => name !== 'warnings')
    .map(([name, field]) => {
      const mark = one.required?.includes(name) === true ? ' *' : ''
      return `| \`${name}\`${mark} | ${cell(typeText(field, schemas))} | ${cell(describeMeaning(field, schemas))} |`
    })
  if (rows.length === 0) return ''
  return ['| field | type | |', '|---|---|---|', ...rows].join('\n')
}

/** Returns a link to the record that a reply is, or is a list of; undefined when it is none. */
export function recordLink(schema: Schema, schemas: OpenApi['schemas']): string | undefined {
  const [name, isList] = findRecord(schema, schemas) ?? []
  return name === undefined ? undefined : `${isList ? 'a list of ' : ''}${linkTo(name)}`
}

function findRecord(schema: Schema, schemas: OpenApi['schemas']): readonly [string, boolean] | undefined {
  const name = readName(schema)
  if (name !== '' && isRecord(name)) return [name, false]
  const inner = name === '' ? schema : (schemas[name] ?? {})
  if (inner !== schema && inner.$ref !== undefined) return findRecord(inner, schemas)
  if (inner.items !== undefined) {
    const found = findRecord(inner.items, schemas)
    return found === undefined ? undefined : [found[0], true]
  }
  if (inner.properties !== undefined && Object.keys(inner.properties).some((one) => one !== 'warnings'))
    return undefined
  for (const part of inner.allOf ?? []) {
    const found = findRecord(part, schemas)
    if (found !== undefined) return found
  }
  return undefined
}

const linkTo = (name: string): string => `[${name}](records.html#${name.toLowerCase()})`

/** Says a type in a few words: `string`, `list of Chat`, `"on" or "off"`. */
function typeText(schema: Schema, schemas: OpenApi['schemas']): string {
  const name = readName(schema)
  if (name !== '' && isRecord(name)) return linkTo(name)
  const one = resolved(schema, schemas)
  if (one.const !== undefined) return `\`${JSON.stringify(one.const)}\``
  if (one.enum !== undefined) return one.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (one.items !== undefined) return `list of ${typeText(one.items, schemas)}`
  const types = typeof one.type === 'string' ? [one.type] : (one.type ?? [])
  return types.length === 0 ? 'any' : types.join(' or ')
}

function describeMeaning(schema: Schema, schemas: OpenApi['schemas']): string {
  const one = resolved(schema, schemas)
  const fields = Object.keys((one.items === undefined ? one : resolved(one.items, schemas)).properties ?? {})
  const isInner =
    fields.length > 0 && !isRecord(readName(schema)) && (one.items === undefined || !isRecord(readName(one.items)))
  return [
    one.description ?? '',
    isInner || (readName(schema) === '' && fields.length > 0 && one.items === undefined)
      ? `Fields: ${fields.map((field) => `\`${field}\``).join(', ')}.`
      : '',
    describeBounds(one),
  ]
    .filter((text) => text !== '')
    .join(' ')
}

function describeBounds({ minimum, maximum, maxLength, maxItems, default: given }: Schema): string {
  const texts = [
    ...(minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
      ? [`${minimum} to ${maximum}`]
      : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
    ...(given === undefined ? [] : [`default \`${JSON.stringify(given)}\``]),
  ]
  return texts.length === 0 ? '' : `(${texts.join(', ')})`
}

/** Makes a text fit into a cell of a table. */
export function cell(text: string): string {
  const line = text.replaceAll('|', '\\|').replace(/\s*\n\s*/g, ' ')
  // A bracket in code is shown as it is; elsewhere it would begin an element.
  return line.replace(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part))
}

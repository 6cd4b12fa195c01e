/** Writes the limits of sends that the forms of the dashboard hold, from the schemas of the operations and the rules of menus. */
import { choiceLimits as menuLimits } from '../schemas/choices/limits.js'
import { loadSchemas, type OperationPart } from '../schemas/schema-registry.js'

const OPERATIONS = {
  text: 'send/text.json',
  media: 'send/media.json',
  location: 'send/location.json',
  contact: 'send/contact.json',
  menu: 'send/menu.json',
  pix: 'send/pix-button.json',
  campaign: 'sender/import.json',
} as const

const BOUNDS = ['maxLength', 'minimum', 'maximum'] as const

/** The text of `dashboard/src/api/limits.ts`. */
export function dashboardLimits(): string {
  const registry = loadSchemas()
  const bundled = registry.bundle('')
  const part: OperationPart = 'request'
  const fields = Object.entries(OPERATIONS).map(([name, file]) => {
    const type = registry.findName(file, part) ?? ''
    const schema = bundled[type] as { properties?: Record<string, Record<string, unknown>> } | undefined
    const bounded = Object.entries(schema?.properties ?? {}).flatMap(([field, rules]) => {
      const bounds = BOUNDS.flatMap((bound) => (typeof rules[bound] === 'number' ? [`${bound}: ${rules[bound]}`] : []))
      return bounds.length === 0 ? [] : [`    ${field}: { ${bounds.join(', ')} },`]
    })
    return [`  ${name}: {`, ...bounded, '  },'].join('\n')
  })
  const menu = Object.entries(menuLimits).map(([name, limit]) => `  ${name}: ${limit},`)
  return [
    '/* Made by `npm run generate` from the schemas; change those. */',
    '',
    '/** Bounds of the fields of each operation. */',
    'export const fieldLimits = {',
    ...fields,
    '} as const',
    '',
    '/** Limits of menus (`docs/reference/choices.md`). */',
    'export const menuLimits = {',
    ...menu,
    '} as const',
    '',
  ].join('\n')
}

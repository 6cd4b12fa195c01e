/** Reads `docs/guides/webhooks.md`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../lib/package-root.js'

export type DocumentedEvent = Readonly<Record<string, unknown>> & { readonly EventType: string }

export function webhooksPage(): string {
  return readFileSync(path.join(packageRoot, 'docs/guides/webhooks.md'), 'utf8')
}

export function documentedEvents(): readonly DocumentedEvent[] {
  const blocks = webhooksPage().matchAll(/^### `\w+`\n\n[^\n]+\n\n```json\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, text = '']) => JSON.parse(text) as DocumentedEvent)
}

/** Returns the paths of all fields, so that bodies of one kind can be compared. */
export function listFields(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [at]
  if (Array.isArray(value)) return [at, ...new Set(value.flatMap((one) => listFields(one, `${at}[]`)))]
  return Object.entries(value).flatMap(([name, inner]) => listFields(inner, `${at}.${name}`))
}

/** Reads the real bodies of events that `docs/webhooks.md` shows. */
import { readPage } from './source-pages.js'

export function documentedBodies(): readonly unknown[] {
  const blocks = readPage('docs/webhooks.md').matchAll(/^```json\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, text = '']) => JSON.parse(text) as unknown)
}

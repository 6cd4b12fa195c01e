/** Reads the real bodies of events that `docs/guides/webhooks.md` shows. */
import { readPage } from './source-pages.js'

export function documentedBodies(): readonly unknown[] {
  const blocks = readPage('docs/guides/webhooks.md').matchAll(/^```json\n([\s\S]*?)^```$/gm)
  return [...blocks].map(([, text = '']) => JSON.parse(text) as unknown)
}

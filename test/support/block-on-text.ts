/** Preloaded into a gateway (`--import`): the main thread never ends to parse a JSON text that holds the first word, and takes long with the second. */
import { isMainThread } from 'node:worker_threads'

const WORD = 'STAND-STILL'
const LONG_WORD = 'STAND-BRIEFLY'
const LONG_MS = 700
const { parse } = JSON

function blockOnWord(text: unknown): void {
  if (typeof text !== 'string') return
  if (text.includes(WORD)) while (performance.now() > 0);
  if (!text.includes(LONG_WORD)) return
  const untilMs = performance.now() + LONG_MS
  while (performance.now() < untilMs);
}

if (isMainThread)
  JSON.parse = ((text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
    blockOnWord(text)
    return parse(text, reviver)
  }) as typeof JSON.parse

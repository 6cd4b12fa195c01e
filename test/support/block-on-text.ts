/**
 * Preloaded into a gateway (`--import`): the main thread never ends to parse a JSON text that holds the first word, and takes long with the
 * second. It never ends to read a text of a message that is the first word.
 */
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

/** How protobufjs reads a text of some length. */
type Slice = (this: Buffer, start: number, end: number) => string
const bytes = Buffer.prototype as unknown as { utf8Slice: Slice }
const { utf8Slice } = bytes

if (isMainThread) {
  bytes.utf8Slice = function (start, end) {
    const text = utf8Slice.call(this, start, end)
    if (text === WORD) blockOnWord(text)
    return text
  }
  JSON.parse = ((text: string, reviver?: Parameters<typeof JSON.parse>[1]): unknown => {
    blockOnWord(text)
    return parse(text, reviver)
  }) as typeof JSON.parse
}

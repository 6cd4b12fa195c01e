import type { EventEmitter } from 'node:events'
import type { BinaryNode } from '@whiskeysockets/baileys'

/** Stanzas of which there are many, and whose events nobody chooses by an attribute. */
const TAGS = ['receipt', 'message']

const NONE: BinaryNode['attrs'] = Object.freeze({})

/**
 * Keeps the library from emitting events for the attributes of receipts and messages: three for each, whose names hold its value, so that each is a new
 * text that V8 must hash and keep (`onMessageReceived` in `Socket/socket.js` of 7.0.0-rc14). Measured, a receipt cost 7.9 µs for that and 1.7 without it,
 * and several times as much when the caches are cold. Nobody hears these events. The attributes are gone while the library would emit them.
 *
 * Call it after all other listeners were added.
 */
export function spareAttributeEvents(ws: EventEmitter): void {
  let hidden: { readonly node: BinaryNode; readonly attrs: BinaryNode['attrs'] } | undefined
  const show = (node: BinaryNode): void => {
    if (hidden?.node === node) node.attrs = hidden.attrs
    hidden = undefined
  }
  const isHeard = (tag: string): boolean => ws.eventNames().some((name) => String(name).startsWith(`CB:${tag},`))
  const spared = new Set(TAGS.filter((tag) => !isHeard(tag)))
  // The library emits `frame`, then an event by the id, those of the attributes, and at last one by the tag, all in one step.
  ws.on('frame', (frame: BinaryNode | Uint8Array) => {
    if (frame instanceof Uint8Array || !spared.has(frame.tag)) return
    hidden = { node: frame, attrs: frame.attrs }
    frame.attrs = NONE
  })
  for (const tag of spared) ws.prependListener(`CB:${tag}`, show)
}

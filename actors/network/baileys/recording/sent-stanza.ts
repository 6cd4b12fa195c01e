import type { BinaryNode } from '@whiskeysockets/baileys'

// Bound: 65,536, a line of a recording.

/** Text that the library logs for each stanza that it sends, at the level `trace` (`sendNode` in `Socket/socket.js` of 7.0.0-rc14). */
export const SENT_LINE = 'xml send'

const OPENING = /^<([\w:-]+)(?: (.*?))?(\/?)>$/
const CLOSING = /^<\/([\w:-]+)>$/
const ATTRIBUTE = /(?<![\w:-])([\w:-]{1,64})='([^']*)'/g

/**
 * Reads a stanza from the library's log line, which nothing else shows. There is one element to a line. A line that is no element stands for
 * content, whose bytes are not kept. A text with line breaks or quotes can distort the shape of the stanza, so callers must trust no value.
 * Returns null if there is no element at all. Never throws.
 */
export function parseSentStanza(xml: string): BinaryNode | null {
  let root: BinaryNode | null = null
  const open: BinaryNode[] = []
  for (const line of xml.split('\n')) {
    const text = line.trim()
    const element = OPENING.exec(text)
    if (element !== null) {
      const [, tag = '', attributes = '', isClosed] = element
      const stanza: BinaryNode = { tag, attrs: Object.fromEntries(attributesIn(attributes)) }
      const parent = open.at(-1)
      if (parent !== undefined) append(parent, stanza)
      else root ??= stanza
      if (isClosed === '') open.push(stanza)
    } else if (CLOSING.exec(text)?.[1] === open.at(-1)?.tag) open.pop()
    else markContent(open.at(-1))
  }
  return root
}

function attributesIn(text: string): [string, string][] {
  return [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value])
}

function append(parent: BinaryNode, stanza: BinaryNode): void {
  if (Array.isArray(parent.content)) parent.content.push(stanza)
  else parent.content = [stanza]
}

function markContent(stanza: BinaryNode | undefined): void {
  if (stanza !== undefined && !Array.isArray(stanza.content)) stanza.content = new Uint8Array(1)
}

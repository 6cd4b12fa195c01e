import type { BinaryNode } from '@whiskeysockets/baileys'
import { ATTRIBUTES, TAGS, WORDS } from './vocabulary.js'

// Bound: 65,536, a line of a recording.

/** A stanza as a recording holds it. */
export interface MaskedStanza {
  /** `?` for a tag that is not on the list. */
  readonly tag: string
  readonly attrs?: Readonly<Record<string, string>>
  /** Number of attributes that are not on the list. */
  readonly otherAttrs?: number
  /** `true` in place of bytes or a text. */
  readonly content?: readonly MaskedStanza[] | true
  /** Number of children that were left out. */
  readonly cut?: number
}

/** Servers of addresses, with the placeholder for the part before the `@`. */
const SERVERS: ReadonlyMap<string, string> = new Map([
  ['s.whatsapp.net', 'person'],
  ['c.us', 'person'],
  ['lid', 'person'],
  ['hosted', 'person'],
  ['hosted.lid', 'person'],
  ['bot', 'person'],
  ['g.us', 'group'],
  ['newsletter', 'channel'],
  ['broadcast', 'list'],
  ['call', 'call'],
])

const CHILDREN_MAX = 64
const DEPTH_MAX = 16
const ADDRESS = /^([^@:]*)(?::(\d{1,2}))?@([a-z.]+)$/
const SMALL_NUMBER = /^\d{1,4}$/

/**
 * Takes from stanzas everything that could identify a person, a message or a key. Only known tags, attributes and words stay. Ids and
 * addresses become placeholders: the same id or address gets the same placeholder in all stanzas of one mask.
 */
export class StanzaMask {
  readonly #placeholders = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  mask(stanza: BinaryNode, depth = 0): MaskedStanza {
    const { tag, content } = stanza
    const entries = Object.entries(stanza.attrs ?? {}).filter(([, value]) => value !== undefined)
    const known = entries.filter(([name]) => ATTRIBUTES.has(name))
    const attrs = Object.fromEntries(known.map(([name, value]) => [name, this.#value(name, String(value))]))
    return {
      tag: TAGS.has(tag) ? tag : '?',
      ...(known.length === 0 ? {} : { attrs }),
      ...(known.length === entries.length ? {} : { otherAttrs: entries.length - known.length }),
      ...(Array.isArray(content) ? this.#children(content, depth) : isEmpty(content) ? {} : { content: true }),
    }
  }

  #children(content: readonly BinaryNode[], depth: number): Pick<MaskedStanza, 'content' | 'cut'> {
    const kept = depth < DEPTH_MAX ? content.slice(0, CHILDREN_MAX) : []
    return {
      content: kept.map((child) => this.mask(child, depth + 1)),
      ...(kept.length === content.length ? {} : { cut: content.length - kept.length }),
    }
  }

  #value(name: string, value: string): string {
    switch (ATTRIBUTES.get(name)) {
      case 'id':
        return this.#placeholder('id', value)
      case 'address':
        return this.#address(value)
      default:
        return WORDS.has(value) || SMALL_NUMBER.test(value) ? value : this.#placeholder('word', value)
    }
  }

  #address(value: string): string {
    if (SERVERS.has(value.replace(/^@/, '')) || value === '') return value
    const [, user = '', device, server = ''] = ADDRESS.exec(value) ?? []
    const kind = SERVERS.get(server)
    if (kind === undefined) return this.#placeholder('address', value)
    if (value === 'status@broadcast') return value
    return `${this.#placeholder(kind, `${user}@${server}`)}${device === undefined ? '' : `:${device}`}@${server}`
  }

  #placeholder(kind: string, value: string): string {
    const key = `${kind} ${value}`
    let placeholder = this.#placeholders.get(key)
    if (placeholder === undefined) {
      const count = (this.#counts.get(kind) ?? 0) + 1
      this.#counts.set(kind, count)
      placeholder = `${kind}${count}`
      this.#placeholders.set(key, placeholder)
    }
    return placeholder
  }
}

function isEmpty(content: unknown): boolean {
  return content === undefined || content === null || (content as { length?: number }).length === 0
}

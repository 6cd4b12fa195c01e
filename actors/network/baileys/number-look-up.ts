import { assertNodeErrorFree, type BinaryNode, USyncQuery, USyncUser, type WASocket } from '@whiskeysockets/baileys'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, otherSpelling, readUser } from '../../../schemas/jid.js'

// Bound: 65,536, a text or attribute of a stanza.

/** A number's account: its JID, as the network spells it, and its LID if the network told it. */
export interface FoundNumber {
  readonly pn: Jid
  readonly lid: Jid | null
}

interface Answer {
  readonly isIn: boolean
  /** Requested digits; empty when the network does not repeat them. */
  readonly requested: string
}

/**
 * Asks the network which of these numbers have an account, and for their LIDs and usernames in the same request. Returns accounts by requested
 * number; the usernames are read where every answer passes (`usernamesOfLookUp`). The network may spell a JID differently (Brazilian numbers with and without the ninth digit), and the library's `onWhatsApp` does not assign its
 * answers to the requested numbers.
 */
export async function lookUpNumbers(
  socket: Pick<WASocket, 'executeUSyncQuery'>,
  numbers: readonly Jid[],
): Promise<ReadonlyMap<Jid, FoundNumber>> {
  const found = new Map<Jid, FoundNumber>()
  if (numbers.length === 0) return found
  const byDigits = new Map(numbers.map((number) => [readUser(number), number]))
  const query = new USyncQuery().withLIDProtocol()
  query.protocols.push({
    name: 'contact',
    getQueryElement: () => ({ tag: 'contact', attrs: {} }),
    getUserElement: ({ phone }) => ({ tag: 'contact', attrs: {}, content: phone ?? '' }),
    parser: parseAnswer,
  })
  // The library's own protocol fails the whole look-up if the network has an error for one username.
  query.protocols.push({
    name: 'username',
    getQueryElement: () => ({ tag: 'username', attrs: {} }),
    getUserElement: () => null,
    parser: () => null,
  })
  for (const digits of byDigits.keys()) query.withUser(new USyncUser().withPhone(`+${digits}`))
  const answers = (await socket.executeUSyncQuery(query))?.list ?? []
  for (const { id, contact, lid } of answers) {
    const { isIn, requested } = (contact as Answer | undefined) ?? NOBODY
    const pn = bareJid(id)
    const digits = readUser(pn)
    const number = byDigits.get(requested) ?? byDigits.get(digits) ?? byDigits.get(otherSpelling(digits) ?? '')
    if (isIn && number !== undefined) found.set(number, { pn, lid: typeof lid === 'string' ? bareJid(lid) : null })
  }
  return found
}

const NOBODY: Answer = { isIn: false, requested: '' }

function parseAnswer(node: BinaryNode): Answer {
  assertNodeErrorFree(node)
  const { attrs, content } = node
  const text =
    content === undefined || Array.isArray(content) ? '' : Buffer.from(content as Uint8Array).toString('utf8')
  return { isIn: attrs.type === 'in', requested: text.replace(/\D/g, '') }
}

import { isPnUser } from '@whiskeysockets/baileys'
import { LRUCache } from 'lru-cache'
import type { Jid } from '../../../schemas/ids.js'
import { bareJid, type ChatAddress, isLidJid } from '../../../schemas/jid.js'

export interface LidRefreshOptions {
  /** Returns the number of a LID, if the store knows it. */
  readonly findNumber: (lid: Jid) => Promise<Jid | null>
  /** Asks the network for the addresses of a number. Returns undefined if it has no account. */
  readonly lookUp: (number: Jid) => Promise<ChatAddress | undefined>
  readonly learned: (mapping: { readonly lid: Jid; readonly pn: Jid }) => void
  readonly failed: (error: unknown) => void
}

/** Time in which the LID of a person is looked up once, and number of people. */
const AGAIN_MS = 60_000
const PEOPLE_MAX = 1_000

/**
 * Looks up the LIDs of people for whom the network says that ours is not the present one (`refresh_lid` in the answer to a message). Asks by
 * number, since the LID is what is in doubt (oxidezap/whatsapp-rust pull request 1313).
 */
export class LidRefresh {
  readonly #options: LidRefreshOptions
  readonly #asked = new LRUCache<string, true>({ max: PEOPLE_MAX, ttl: AGAIN_MS })

  constructor(options: LidRefreshOptions) {
    this.#options = options
  }

  refresh(person: string): void {
    const jid = bareJid(person)
    if (this.#asked.has(jid) || !(isLidJid(jid) || isPnUser(jid))) return
    this.#asked.set(jid, true)
    this.#refresh(jid).catch((error: unknown) => this.#options.failed(error))
  }

  async #refresh(jid: Jid): Promise<void> {
    const { findNumber, lookUp, learned } = this.#options
    const number = isLidJid(jid) ? await findNumber(jid) : jid
    if (number === null) return
    const { pn, lid } = (await lookUp(number)) ?? {}
    if (pn !== undefined && lid !== undefined) learned({ pn, lid })
  }
}

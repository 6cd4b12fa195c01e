import type { ChatAddress } from '../../../schemas/jid.js'
import type { PacedKind } from '../../../schemas/pacing.js'
import { RecentMap } from '../recent-map.js'
import { listChatNames } from './chat-set.js'
import type { SendsContext } from './context.js'

/** Maximum of people who are remembered to have written. */
const HEARD_MAX = 1_000

/** Knows who has written to the account. The network lets it write to them under any restriction. */
export class KnownChats {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'pacer'>
  /** People who have written since this node holds the instance. */
  readonly #heard = new RecentMap<string, true>(HEARD_MAX)

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'pacer'>) {
    this.#context = context
  }

  /** Notes that a person wrote. */
  heard(chat: ChatAddress): void {
    for (const name of listChatNames(chat)) this.#heard.set(name, true)
  }

  /** Returns true for a person who has written since this node holds the instance. */
  hasJustWritten(chat: ChatAddress): boolean {
    return listChatNames(chat).some((name) => this.#heard.has(name))
  }

  /** Returns true for a group, and for a person who has ever written. */
  async isKnown(chat: ChatAddress): Promise<boolean> {
    const { reader, id } = this.#context
    if (chat.group !== undefined || this.hasJustWritten(chat)) return true
    return await reader.hasWritten(id, chat)
  }

  /** Does the same, but asks the store only when the pacing depends on it. Otherwise returns true. */
  async isKnownIfNeeded(kind: PacedKind, chat: ChatAddress): Promise<boolean> {
    return !(await this.#context.pacer.asksForNewChats(kind)) || (await this.isKnown(chat))
  }
}

import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { errorText } from '../../../lib/error-text.js'
import { withTimeLimit } from '../../../lib/time-limit.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import type { InstanceReader } from '../../instance/instance-reader.js'

export interface GroupNamesOptions {
  readonly instance: InstanceId
  readonly reader: Pick<InstanceReader, 'chat'>
  /** Learns the state of a group. Writes it before it resolves. */
  readonly learn: (group: Jid) => Promise<unknown>
  /** Groups with known names, of all connections of the node. */
  readonly named: LRUCache<string, string>
  readonly logger: Pick<Logger, 'debug'>
}

/** Maximum time that a message waits for the name of its group. */
const WAIT_MAX_MS = 2_000
/** Time between attempts to learn a group: the network's limits on these requests are low (Baileys issue 1061). */
const ASK_AGAIN_MS = 60_000

/** Learns the name of a group when its first message arrives, so that the event has the name. */
export class GroupNames {
  readonly #options: GroupNamesOptions
  readonly #learning = new Map<Jid, Promise<void>>()
  readonly #failedAtMs = new Map<Jid, number>()

  constructor(options: GroupNamesOptions) {
    this.#options = options
  }

  /** Begins to learn the name of a group unless it is known. Never rejects. */
  want(group: Jid): void {
    const { named, logger } = this.#options
    const key = this.#key(group)
    const failedAtMs = this.#failedAtMs.get(group)
    if (named.has(key) || this.#learning.has(group)) return
    if (failedAtMs !== undefined && performance.now() - failedAtMs < ASK_AGAIN_MS) return
    const learnt = this.#learn(group).then(
      () => {
        this.#failedAtMs.delete(group)
        named.set(key, '')
      },
      (error: unknown) => {
        this.#failedAtMs.set(group, performance.now())
        logger.debug({ error: errorText(error) }, 'The info of a group was not read.')
      },
    )
    this.#learning.set(
      group,
      learnt.finally(() => this.#learning.delete(group)),
    )
  }

  /** Waits until the name of a group is learnt, for a limited time. */
  async wait(group: Jid): Promise<void> {
    const learning = this.#learning.get(group)
    if (learning !== undefined) await withTimeLimit(learning, WAIT_MAX_MS, () => {})
  }

  async #learn(group: Jid): Promise<void> {
    const { instance, reader, learn } = this.#options
    const chat = await reader.chat(instance, { group })
    if (chat === null || !chat.name) await learn(group)
  }

  #key(group: Jid): string {
    return `named:${this.#options.instance}:${group}`
  }
}

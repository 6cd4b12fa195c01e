import { withTimeLimit } from '../../../lib/time-limit.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { StatusPeople } from '../../../schemas/status-post.js'
import type { Connection } from '../../network/port/connection.js'
import type { OutgoingMessage } from '../../network/port/messages.js'
import type { SendsContext } from './context.js'

/** Maximum number of people in one part of a post. Each device of theirs gets the key of the post in it, which takes about 200 bytes. */
const PEOPLE_AT_ONCE = 256
/** Maximum time for the network's answer to a part. */
const ANSWER_MAX_MS = 30_000

/** A status post as it is handed to a connection, or a change of one. */
export interface PostHandover {
  readonly messageid: MessageId
  readonly message: OutgoingMessage
  /** The post whose people get a change. */
  readonly post?: MessageId | undefined
  /** The people of a post whose row is not durable yet. */
  readonly to?: StatusPeople | undefined
}

/**
 * Hands status posts to the network in parts, all under one message id. The next part follows when the network has taken the former one, and
 * that is stored before: another connection, or another owner, goes on there. A part whose answer was lost goes out again, under the same
 * id, by which phones drop it.
 */
export class StatusParts {
  readonly #context: Pick<SendsContext, 'id' | 'reader' | 'journal'>
  /** Parts that wait for the network's answer while others are to follow. */
  readonly #waiting = new Map<MessageId, (error: number | null) => void>()

  constructor(context: Pick<SendsContext, 'id' | 'reader' | 'journal'>) {
    this.#context = context
  }

  /** Resolves when the last part was handed over, or the network has refused one. @throws Error if a part was not handed over or not answered */
  async relay(connection: Connection, { messageid, message, post = messageid, to }: PostHandover): Promise<void> {
    const isChange = post !== messageid
    const { people, audience, reached } = to === undefined ? await this.#stored(post) : { ...to, reached: 0 }
    for (let from = isChange ? 0 : reached; ; ) {
      const part = people.slice(from, from + PEOPLE_AT_ONCE)
      const end = from + part.length
      const isLast = end >= people.length
      const answer = isLast ? null : this.#answerTo(connection, messageid)
      const isSent = await connection.messages.post(messageid, message, part, audience).catch((error: unknown) => {
        this.answered(messageid, null)
        throw error
      })
      // Nobody answers a part without devices.
      if (!isSent) this.answered(messageid, null)
      // After a refusal the message has failed; see `answered`.
      if (isLast || (await answer) !== null) return
      from = end
      if (!isChange) await this.#context.journal.write([{ type: 'status.reached', messageid, reached: end }])
    }
  }

  /** Handles the network's answer. Returns true if it is for a part that others follow, so that it says nothing of the whole. */
  answered(messageid: MessageId, error: number | null): boolean {
    const settle = this.#waiting.get(messageid)
    if (settle === undefined) return false
    this.#waiting.delete(messageid)
    settle(error)
    return error === null
  }

  async #stored(post: MessageId) {
    const { reader, id, journal } = this.#context
    await journal.settled()?.catch(() => {})
    const stored = await reader.statusPost(id, post)
    if (stored === null) throw new Error('The people of the status post are not stored.')
    return stored
  }

  /** Resolves to the error of the network, or null. */
  async #answerTo(connection: Connection, messageid: MessageId): Promise<number | null> {
    const answer = new Promise<number | null>((resolve) => void this.#waiting.set(messageid, resolve))
    const ended = connection.closed().then(() => {
      throw new Error('The connection ended before WhatsApp took a part of the status post.')
    })
    const result = withTimeLimit(Promise.race([answer, ended]), ANSWER_MAX_MS, () => {
      throw new Error('WhatsApp did not answer a part of the status post.')
    })
    // It is awaited when the part is out.
    result.catch(() => {})
    return await result
  }
}

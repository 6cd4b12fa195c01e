import { errorText } from '../../lib/error-text.js'
import { isChannelJid } from '../../schemas/channel.js'
import { parseReadingSettings, type ReadingSettings } from '../../schemas/instance-settings.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import { markMessagesRead } from './reading.js'
import type { SendsContext } from './sends/context.js'

/** Time for which a message waits for others: one receipt names many messages of a chat. */
const GATHER_MS = 500
const AT_ONCE = 100
/** Messages that wait. Those that come while there are so many stay unread: reading is no promise about each message. */
const WAITING_MAX = 2_000
const STATUS_CHAT = 'status@broadcast'

/** Marks received messages as read by itself, as the settings of the instance say. Messages that came before the settings stay as they are. */
export class AutomaticReading {
  readonly #context: SendsContext
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #settings: Promise<ReadingSettings> | null = null

  constructor(context: SendsContext) {
    this.#context = context
  }

  settings(): Promise<ReadingSettings> {
    if (this.#settings !== null) return this.#settings
    const { id, reader } = this.#context
    const loading = reader.readingSettings(id).then(parseReadingSettings)
    this.#settings = loading
    loading.catch(() => {
      if (this.#settings === loading) this.#settings = null
    })
    return loading
  }

  /** Takes settings over that are stored. */
  use(settings: ReadingSettings): void {
    this.#settings = Promise.resolve(settings)
  }

  /** Marks a message that is being stored, if the settings say so. Never throws. */
  onMessage({ messageid, chat, fromMe, isQuiet }: NewMessage): void {
    // A post of a channel is viewed, which is another receipt, and the account's own choice.
    if (fromMe || isQuiet === true || (chat.group !== undefined && isChannelJid(chat.group))) return
    const isStatus = chat.group === STATUS_CHAT
    this.settings()
      .then(({ readMessages, readStatus }) => {
        if (isStatus ? readStatus : readMessages) this.#gather(messageid)
      })
      .catch((error: unknown) => this.#tell(error))
  }

  #gather(messageid: string): void {
    if (this.#waiting.size >= WAITING_MAX) return
    this.#waiting.add(messageid)
    this.#timer ??= setTimeout(() => {
      this.#read().catch((error: unknown) => this.#tell(error))
    }, GATHER_MS).unref()
  }

  async #read(): Promise<void> {
    const ids = [...this.#waiting].slice(0, AT_ONCE)
    for (const id of ids) this.#waiting.delete(id)
    this.#timer = undefined
    try {
      const { id, journal, reader, session } = this.#context
      if (session.isFinishing) return
      await journal.settled()
      const messages = (await reader.messagesNamed(id, ids)).filter(({ fromMe }) => !fromMe)
      if (messages.length > 0) await markMessagesRead(this.#context, messages)
    } finally {
      const [next] = this.#waiting
      if (next !== undefined) this.#gather(next)
    }
  }

  #tell(error: unknown): void {
    this.#context.logger.info({ error: errorText(error) }, 'Received messages were not marked as read by themselves.')
  }
}

import { parseOptOutWords, plainMessage } from '../../schemas/opt-out.js'
import type { NewMessage } from '../../schemas/stored-fields.js'
import type { Feature } from './feature.js'
import type { Change } from './ports.js'
import type { SendsContext } from './sends/context.js'

/**
 * Recognizes messages by which people opt out of campaigns. The change is written together with the message, so that no crash loses it;
 * the store decides whether it is one of the words, and whether the person got a campaign.
 */
export class OptOuts implements Feature {
  readonly #context: Pick<SendsContext, 'id' | 'reader'>
  #words: readonly string[] | null = null
  #loading: Promise<readonly string[]> | null = null

  constructor(context: Pick<SendsContext, 'id' | 'reader'>) {
    this.#context = context
  }

  opened(): void {
    this.words().catch(() => {})
  }

  async words(): Promise<readonly string[]> {
    if (this.#words !== null) return this.#words
    const { id, reader } = this.#context
    this.#loading ??= reader.optOutWords(id).then(parseOptOutWords)
    try {
      this.#words ??= await this.#loading
      return this.#words
    } finally {
      this.#loading = null
    }
  }

  /** Uses the stored words from now on. */
  use(words: readonly string[]): void {
    this.#words = words
  }

  /** Returns the changes of a received message: none, unless it is a word of opting out from a person. */
  listChanges(message: NewMessage): readonly Change[] {
    if (message.fromMe || message.isGroup || message.chat.group !== undefined) return []
    const word = plainMessage(message.text)
    // As long as the words are not read, the store compares each short message.
    if (word === '' || this.#words?.includes(word) === false) return []
    return [{ type: 'optOut', chat: message.chat, messageid: message.messageid, word }]
  }
}

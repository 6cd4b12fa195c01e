import type { MessageId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import type { SendContent } from '../../../schemas/send-content.js'
import { pause } from '../pause.js'
import type { SendsContext } from './context.js'

/** Short delays of sends whose callers wait for the answer. The queue skips their chats meanwhile. */
export class DirectDelays {
  readonly #presences: Pick<SendsContext['presences'], 'start'>
  readonly #waiting = new Map<MessageId, ChatAddress>()
  readonly #listeners = new Set<() => void>()

  constructor(presences: Pick<SendsContext['presences'], 'start'>) {
    this.#presences = presences
  }

  /** Chats in which a send waits for its delay, or for its turn before that. */
  get chats(): readonly ChatAddress[] {
    return [...this.#waiting.values()]
  }

  /** Calls the listener after each delay. */
  onEnd(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Makes the queue skip the chat from now on. */
  announce(messageid: MessageId, chat: ChatAddress): void {
    this.#waiting.set(messageid, chat)
  }

  /** Shows an indicator in the chat for the delay, and waits until it is over. */
  async wait(messageid: MessageId, chat: ChatAddress, content: SendContent, delayMs: number): Promise<void> {
    this.#presences.start(chat, choosePresence(content), delayMs)
    await pause(delayMs)
    this.leave(messageid)
  }

  /** Makes the queue look at the chat again, because the delay of the message is over, or will not begin. */
  leave(messageid: MessageId): void {
    if (!this.#waiting.delete(messageid)) return
    for (const listener of this.#listeners) listener()
  }
}

/** Returns the indicator to show while a send waits: recording for a voice note, typing for anything else. */
export function choosePresence(content: SendContent): 'composing' | 'recording' {
  return content.kind === 'media' && content.media === 'ptt' ? 'recording' : 'composing'
}

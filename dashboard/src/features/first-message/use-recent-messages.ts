import { useState } from 'react'
import type { Message } from '../../../../schemas/generated.js'
import { isObject } from '../../api/problem.js'
import type { StreamEvent } from '../../api/stream.js'

export type Shown = Pick<Message, 'messageid' | 'chatid' | 'fromMe' | 'messageType' | 'status' | 'messageTimestamp'> & {
  readonly text: string
  readonly senderName: string
}

const SHOWN_MAX = 20

export interface RecentMessages {
  readonly messages: readonly Shown[]
  readonly add: (message: Message) => void
  /** Takes an event of the stream of the page. */
  readonly onEvent: (event: StreamEvent) => void
}

/** Holds the messages that came and went while the page was open, with the present status of each. */
export function useRecentMessages(): RecentMessages {
  const [messages, setMessages] = useState<readonly Shown[]>([])

  function add(message: Message): void {
    const { messageid, chatid, fromMe, messageType, status, messageTimestamp, text = '', senderName = '' } = message
    const shown: Shown = { messageid, chatid, fromMe, messageType, status, messageTimestamp, text, senderName }
    setMessages((before) => [...before.filter((one) => one.messageid !== messageid), shown].slice(-SHOWN_MAX))
  }

  function onEvent(event: StreamEvent): void {
    if (event.EventType === 'messages' && isObject(event.message)) add(event.message as unknown as Message)
    if (event.EventType === 'messages_update' && isObject(event.event)) update(event.state, event.event.MessageIDs)
  }

  function update(state: unknown, ids: unknown): void {
    if (typeof state !== 'string' || !Array.isArray(ids)) return
    const status = state.toLowerCase() as Shown['status']
    setMessages((before) => before.map((one) => (ids.includes(one.messageid) ? { ...one, status } : one)))
  }

  return { messages, add, onEvent }
}

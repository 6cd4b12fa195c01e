import { useCallback, useEffect, useState } from 'react'
import type { Message } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import type { StreamEvent } from '../api/stream-event.js'
import { mayReadAll } from './use-instance.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

export type Shown = Pick<Message, 'messageid' | 'chatid' | 'fromMe' | 'messageType' | 'status' | 'messageTimestamp'> & {
  readonly text: string
  readonly senderName: string
}

const SHOWN_MAX = 20

export interface RecentMessages {
  /** Oldest first. */
  readonly messages: readonly Shown[]
  readonly add: (message: Message) => void
}

/** Holds the newest messages of the instance, with the present status of each. */
export function useRecentMessages(): RecentMessages {
  const { credential } = useThisInstance()
  const { header, token } = credential ?? {}
  const [messages, setMessages] = useState<readonly Shown[]>([])
  const read = useCallback(async () => {
    if (header === undefined || token === undefined || !mayReadAll()) return
    try {
      const page = await call('findMessages', { header, token }, { body: { limit: SHOWN_MAX } })
      setMessages((before) => mergeShown(before, page.messages.map(pickShown).toReversed()))
    } catch {
      // The next stream reads again.
    }
  }, [header, token])
  // A stream says nothing of what came before it opened.
  useInstanceEvents((event) => {
    if (event === 'open') void read()
    else if (event.EventType === 'messages' && isObject(event.message)) add(event.message as unknown as Message)
    else if (event.EventType === 'messages_update' && isObject(event.event)) update(event)
  })

  useEffect(() => {
    void read()
  }, [read])

  function add(message: Message): void {
    const shown = pickShown(message)
    setMessages((before) => [...before.filter((one) => one.messageid !== shown.messageid), shown].slice(-SHOWN_MAX))
  }

  function update({ state, event }: StreamEvent): void {
    const ids = isObject(event) ? event.MessageIDs : undefined
    if (typeof state !== 'string' || !Array.isArray(ids)) return
    const status = state.toLowerCase() as Shown['status']
    setMessages((before) => before.map((one) => (ids.includes(one.messageid) ? { ...one, status } : one)))
  }

  return { messages, add }
}

function pickShown(message: Message): Shown {
  const { messageid, chatid, fromMe, messageType, status, messageTimestamp, text = '', senderName = '' } = message
  return { messageid, chatid, fromMe, messageType, status, messageTimestamp, text, senderName }
}

/** Puts messages that came after the page was read behind it. */
function mergeShown(before: readonly Shown[], page: readonly Shown[]): Shown[] {
  const known = new Set(page.map(({ messageid }) => messageid))
  // Messages behind one of the page came later. Their times are of several clocks.
  const later = before.slice(before.findLastIndex((one) => known.has(one.messageid)) + 1)
  return [...page, ...later].slice(-SHOWN_MAX)
}

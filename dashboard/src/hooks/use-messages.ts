import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Message } from '../../../schemas/generated.js'
import { isObject } from '../api/problem.js'
import type { StreamEvent } from '../api/stream-event.js'
import { createBatch } from './batch.js'
import { MessageList } from './message-list.js'
import type { MessageUpdate } from './message-window.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

/** Returns the messages of a chat, kept as they are at the gateway by the stream of the instance. */
export function useMessages(chatId: string, around: string | undefined) {
  const { credential } = useThisInstance()
  const { header, token } = credential ?? {}
  const list = useMemo(
    () => (header === undefined || token === undefined ? undefined : new MessageList({ header, token }, chatId)),
    [header, token, chatId],
  )
  /** True while the reader is at the end of the chat. */
  const isSeen = useRef(true)
  const batch = useMemo(
    () =>
      createBatch<Message>((messages) => {
        list?.takeArrived(messages, isSeen.current && !document.hidden)
      }),
    [list],
  )
  useEffect(() => () => batch.end(), [batch])
  useEffect(() => {
    if (list === undefined || (around !== undefined && list.has(around))) return
    if (around !== undefined || list.state().version === 0) void list.open(around ?? null)
  }, [list, around])
  useInstanceEvents((event) => {
    if (event === 'open') void list?.catchUp()
    else if (event.EventType === 'messages' && isOfChat(event.message, chatId)) batch.add(event.message)
    else if (event.EventType === 'messages_update') {
      const update = readUpdate(event, chatId)
      if (update === null) return
      // The update may be about a message that has just come.
      batch.flush()
      list?.takeUpdate(update)
    }
  })
  const state = useSyncExternalStore(list?.subscribe ?? subscribeToNothing, list?.state ?? returnNothing)
  return { state, list, isSeen }
}

function isOfChat(message: unknown, chatId: string): message is Message {
  return isObject(message) && (message.chatid === chatId || message.chatlid === chatId)
}

function readUpdate({ type, state, event }: StreamEvent, chatId: string): MessageUpdate | null {
  if (!isObject(event) || !Array.isArray(event.MessageIDs)) return null
  const { MessageIDs, Chat, chat_lid: lid, Text, Timestamp, Votes, PinnedUntil } = event
  if (Chat !== undefined && Chat !== chatId && lid !== chatId) return null
  return {
    ids: MessageIDs.map(String),
    type: String(type ?? ''),
    state: String(state ?? ''),
    ...(typeof PinnedUntil === 'number' ? { pinnedUntil: PinnedUntil } : {}),
    text: typeof Text === 'string' ? Text : undefined,
    atMs: typeof Timestamp === 'number' ? Timestamp * 1_000 : Date.now(),
    votes: Array.isArray(Votes)
      ? Votes.filter(isObject).map(({ Option, Count }) => ({ option: String(Option), votes: Number(Count) }))
      : undefined,
  }
}

function subscribeToNothing(): () => void {
  return () => undefined
}

function returnNothing(): undefined {
  return undefined
}

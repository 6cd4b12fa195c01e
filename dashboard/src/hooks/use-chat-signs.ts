/** What the list of chats shows beside their records, as the stream tells it: who is typing, and how far the last message has come. */
import { useEffect, useMemo, useState } from 'react'
import type { Message } from '../../../schemas/generated.js'
import { isObject } from '../api/problem.js'
import { chooseLaterStatus } from './message-window.js'
import { useInstanceEvents } from './use-this-instance.js'

/** Time after which typing of which nothing more is heard has ended. */
const TYPING_MS = 25_000
/** Chats whose last message is known, at most. */
const KNOWN_MAX = 2_000

export interface LastMessage {
  readonly messageid: string
  readonly fromMe: boolean
  readonly status: Message['status']
}

export interface ChatSigns {
  /** What somebody does in a chat, by the id or the LID of the chat. */
  readonly doing: ReadonlyMap<string, 'composing' | 'recording'>
  /** The last message of each chat of which the stream has told. */
  readonly last: ReadonlyMap<string, LastMessage>
}

export function useChatSigns(): ChatSigns {
  const [doing, setDoing] = useState<ReadonlyMap<string, { readonly state: 'composing' | 'recording'; at: number }>>(
    new Map(),
  )
  const [last, setLast] = useState<ReadonlyMap<string, LastMessage>>(new Map())
  useInstanceEvents((event) => {
    if (event === 'open') return
    if (event.EventType === 'presence' && isObject(event.event)) {
      const { Chat, State } = event.event
      if (typeof Chat === 'string') setDoing((before) => applyDoing(before, Chat, State))
    } else if (event.EventType === 'messages' && isObject(event.message)) {
      const message = event.message as unknown as Message
      setDoing((before) => applyDoing(before, message.chatid, undefined))
      setLast((before) => applyLast(before, message))
    } else if (event.EventType === 'messages_update' && isObject(event.event)) {
      const { Chat, MessageIDs } = event.event
      if (typeof Chat === 'string' && Array.isArray(MessageIDs))
        setLast((before) => applyStatus(before, Chat, MessageIDs, String(event.state ?? '')))
    }
  })
  useEffect(() => {
    if (doing.size === 0) return undefined
    const oldest = Math.min(...[...doing.values()].map(({ at }) => at))
    const timer = setTimeout(
      () => setDoing((before) => new Map([...before].filter(([, { at }]) => at + TYPING_MS > Date.now()))),
      Math.max(0, oldest + TYPING_MS - Date.now()) + 50,
    )
    return () => clearTimeout(timer)
  }, [doing])
  return useMemo(() => ({ doing: new Map([...doing].map(([chat, { state }]) => [chat, state])), last }), [doing, last])
}

type Doing = ReadonlyMap<string, { readonly state: 'composing' | 'recording'; readonly at: number }>

function applyDoing(before: Doing, chat: string, state: unknown): Doing {
  const isDoing = state === 'composing' || state === 'recording'
  if (!isDoing && !before.has(chat)) return before
  const next = new Map(before)
  if (isDoing) next.set(chat, { state, at: Date.now() })
  else next.delete(chat)
  return next
}

function applyLast(before: ReadonlyMap<string, LastMessage>, message: Message): ReadonlyMap<string, LastMessage> {
  const { chatid, messageid, fromMe, status, messageType } = message
  if (messageType === 'reaction' || messageType === 'note') return before
  const next = new Map(before)
  next.delete(chatid)
  next.set(chatid, { messageid, fromMe, status })
  const [first] = next.keys()
  if (next.size > KNOWN_MAX && first !== undefined) next.delete(first)
  return next
}

function applyStatus(
  before: ReadonlyMap<string, LastMessage>,
  chat: string,
  ids: readonly unknown[],
  state: string,
): ReadonlyMap<string, LastMessage> {
  const known = before.get(chat)
  if (known === undefined || !ids.includes(known.messageid)) return before
  const status = chooseLaterStatus(known.status, state.toLowerCase() as Message['status'])
  return status === known.status ? before : new Map(before).set(chat, { ...known, status })
}

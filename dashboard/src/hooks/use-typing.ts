import { useEffect, useState } from 'react'
import { isObject } from '../api/problem.js'
import { useInstanceEvents } from './use-this-instance.js'

export type Activity = 'composing' | 'recording' | 'available'

/** Time after which typing of which nothing more is heard has ended. */
const TYPING_MS = 25_000

/** Returns what the people of a chat do at present; null if nothing is known. */
export function useTyping(chatId: string, chatLid: string | undefined): Activity | null {
  const [activity, setActivity] = useState<{ readonly chat: string; readonly state: Activity } | null>(null)
  useInstanceEvents((event) => {
    if (event === 'open') return
    if (event.EventType === 'messages' && isObject(event.message) && event.message.chatid === chatId) setActivity(null)
    if (event.EventType !== 'presence' || !isObject(event.event)) return
    const { Chat, State } = event.event
    if (Chat !== chatId && (Chat !== chatLid || chatLid === '')) return
    const isKnown = State === 'composing' || State === 'recording' || State === 'available'
    setActivity(isKnown ? { chat: chatId, state: State } : null)
  })
  useEffect(() => {
    if (activity === null || activity.state === 'available') return undefined
    const timer = setTimeout(() => setActivity(null), TYPING_MS)
    return () => clearTimeout(timer)
  }, [activity])
  return activity?.chat === chatId ? activity.state : null
}

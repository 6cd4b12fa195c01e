import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Message } from '../../../schemas/generated.js'
import {
  type NewSend,
  type OutgoingSend,
  post,
  readOutbox,
  retryOutbox,
  type SendOperation,
  subscribeOutbox,
} from './outbox.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

/** Returns the sends of a chat that are not answered yet, and the function that adds one. */
export function useOutbox(chatId: string, onSent: (message: Message) => void) {
  const { id, credential } = useThisInstance()
  const all = useSyncExternalStore(subscribeOutbox, readOutbox)
  const latest = useRef({ credential, onSent })
  useEffect(() => {
    latest.current = { credential, onSent }
  })
  const sends = useMemo(
    (): readonly OutgoingSend[] => all.filter((one) => one.instanceId === id && one.chatId === chatId),
    [all, id, chatId],
  )
  useInstanceEvents((event) => {
    if (event === 'open') retryOutbox()
  })
  const send = useCallback(
    <One extends SendOperation>(what: Omit<NewSend<One>, 'instanceId' | 'chatId'>): string =>
      post<One>(
        { ...what, instanceId: id, chatId } as NewSend<One>,
        () => latest.current.credential,
        (message) => latest.current.onSent(message),
      ),
    [id, chatId],
  )
  return { sends, send }
}

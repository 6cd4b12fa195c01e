/** What the pages of one instance share: its token, its state and its one stream of events. */
import { createContext, useContext, useEffect, useRef } from 'react'
import type { StatusReply } from '../../../schemas/generated.js'
import type { Credential } from '../api/client.js'
import type { StreamEvent } from '../api/stream-event.js'

/** Events of the stream. Browsers have few connections for one host, so that all pages share one. */
export const INSTANCE_EVENTS =
  'connection,messages,messages_update,presence,chats,chat_labels,leads,contacts,groups,labels,sender,call,limits,suppressions,agents,newsletter_messages'

export interface ThisInstance {
  readonly id: string
  readonly credential: Credential | undefined
  readonly told: StatusReply
  /** Error of the last reading of the state. */
  readonly error: Error | null
  readonly listeners: Set<(event: StreamEvent | 'open') => void>
}

export const InstanceContext = createContext<ThisInstance | undefined>(undefined)

export function useThisInstance(): ThisInstance {
  const here = useContext(InstanceContext)
  if (here === undefined) throw new Error('There is no instance around this part.')
  return here
}

/** Calls the handler for each event, and with `open` when a stream begins, since events may have been missed before. */
export function useInstanceEvents(handler: (event: StreamEvent | 'open') => void): void {
  const { listeners } = useThisInstance()
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  useEffect(() => {
    const listener = (event: StreamEvent | 'open') => latest.current(event)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listeners])
}

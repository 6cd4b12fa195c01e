import { useEffect, useRef } from 'react'
import type { Credential } from '../api/client.js'
import { followStream } from '../api/stream.js'
import type { StreamEvent } from '../api/stream-event.js'

interface StreamHandlers {
  readonly onOpen: () => void
  readonly onEvent: (event: StreamEvent) => void
  readonly onRefused: () => void
}

/** Follows events while the component is shown and there is a token. The handlers may change without a new stream. */
export function useStream(credential: Credential | undefined, events: string, handlers: StreamHandlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const { header, token } = credential ?? {}
  useEffect(() => {
    if (header === undefined || token === undefined) return undefined
    return followStream({
      credential: { header, token },
      events,
      onOpen: () => latest.current.onOpen(),
      onEvent: (event) => latest.current.onEvent(event),
      onRefused: () => latest.current.onRefused(),
    })
  }, [header, token, events])
}

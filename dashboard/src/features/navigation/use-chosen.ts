import { useRouterState } from '@tanstack/react-router'
import { findPlace } from '../../api/places.js'
import { useAccess } from '../../hooks/use-access.js'
import { useStatus } from '../../hooks/use-instance.js'
import { useUnread } from '../../hooks/use-unread.js'

export interface ChosenInstance {
  readonly id: string
  readonly name: string
  /** Undefined until it was read. */
  readonly status: 'connected' | 'connecting' | 'disconnected' | undefined
  /** Chats with unread messages. */
  readonly unread: number
}

/** Returns the instance whose pages are shown; undefined on the pages of the whole gateway. */
export function useChosen(): ChosenInstance | undefined {
  const id = useRouterState({ select: ({ location }) => findPlace(location.pathname)?.id })
  const { credential } = useAccess(id)
  const { data } = useStatus(id ?? '', id === undefined ? undefined : credential)
  const unread = useUnread(id, credential)
  return id === undefined ? undefined : { id, name: data?.instance.name ?? '', status: data?.instance.status, unread }
}

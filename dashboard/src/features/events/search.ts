/** Search parameters of the page of events. */
import type { EventKind } from '../../../../schemas/generated.js'
import { eventKinds } from '../../format/event-kinds.js'

export interface EventSearch {
  /** Kinds that are shown, separated by commas; left out, all. */
  readonly kinds?: string
  readonly text?: string
}

const TEXT_MAX = 200

export function readEventSearch({ kinds, text }: Record<string, unknown>): EventSearch {
  const known = typeof kinds === 'string' ? readKinds({ kinds }) : []
  const wanted = typeof text === 'string' || typeof text === 'number' ? String(text).slice(0, TEXT_MAX) : ''
  return {
    ...(known.length === 0 ? {} : { kinds: known.join(',') }),
    ...(wanted === '' ? {} : { text: wanted }),
  }
}

export function readKinds({ kinds = '' }: EventSearch): readonly EventKind[] {
  const named = kinds.split(',')
  return eventKinds.filter((kind) => named.includes(kind))
}

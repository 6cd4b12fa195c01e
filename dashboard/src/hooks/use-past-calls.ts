/** Reads the calls of an account from its stored events. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.js'
import { collectCalls } from './past-calls.js'
import { requirePass, type Scope } from './use-operation.js'
import { useInstanceEvents } from './use-this-instance.js'

const PAGE = 500
/** Each page looks at 2,000 events of all kinds. */
const PAGES_MAX = 20

/** Returns the last calls, the newest first, and looks further until all stored events were looked at. */
export function usePastCalls({ id, credential }: Scope) {
  const client = useQueryClient()
  useInstanceEvents((event) => {
    if (event === 'open' || event.EventType === 'call') void client.invalidateQueries({ queryKey: ['pastCalls', id] })
  })
  return useInfiniteQuery({
    queryKey: ['pastCalls', id],
    enabled: credential !== undefined,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const query = { events: 'call', limit: PAGE, ...(pageParam === '' ? {} : { since: pageParam }) }
      return call('listEvents', requirePass(credential), { query, signal })
    },
    getNextPageParam: ({ hasMore, cursor }, pages) => (hasMore && pages.length < PAGES_MAX ? cursor : undefined),
    select: ({ pages }) => collectCalls(pages.flatMap(({ events }) => events)),
  })
}

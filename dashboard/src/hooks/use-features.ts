import { useQuery } from '@tanstack/react-query'
import type { ShowPassReply } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { useSession } from '../api/session.js'

/** What is switched on at this gateway. A gateway of an earlier release may not tell all of it. */
export function useShownFeatures(): Partial<ShowPassReply['features']> | undefined {
  const signedIn = useSession()
  const { data } = useQuery({
    queryKey: ['features'],
    enabled: signedIn !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      if (signedIn === null) throw new Error('Nobody is signed in.')
      return (await call('showPass', signedIn.credential, { signal })).features
    },
  })
  return data
}

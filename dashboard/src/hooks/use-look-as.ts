import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { KeyRecord } from '../../../schemas/generated.js'
import { call } from '../api/client.js'
import { dashboardPath } from '../api/places.js'
import { requirePass } from './use-operation.js'
import { useThisInstance } from './use-this-instance.js'

/** Life of the copy of the key, and of what is signed in with it. */
const LOOK_SECONDS = 900
const NAME_MAX = 100

/** Makes a link that signs in with the rights of a key. The key itself is stored as a hash, so that a copy is made, which ends by itself. */
export function useLookAs() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    // The link signs in.
    gcTime: 0,
    mutationFn: async ({ name, scopes, chat }: KeyRecord): Promise<string> => {
      const { token } = await call('createKey', requirePass(credential), {
        body: {
          name: `👁 ${name}`.slice(0, NAME_MAX),
          scopes,
          expiresInSeconds: LOOK_SECONDS,
          ...(chat === '' ? {} : { chat }),
        },
      })
      const { code } = await call('openPassCode', { header: 'token', token }, { body: {} })
      return `${location.origin}${dashboardPath}#welcome=${code}`
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['keys', id] }),
  })
}

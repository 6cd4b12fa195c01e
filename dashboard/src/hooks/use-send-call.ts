import { useMutation } from '@tanstack/react-query'
import type { SendTextReply } from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { Problem } from '../api/problem.js'
import { fillBody } from '../features/composer/filled-body.js'
import type { SendCall } from '../features/composer/request.js'

/** Tries after the first one, while nothing answers. With the pauses below they last about a minute. */
const RETRIES = 12
const PAUSE_MAX_MS = 8_000

interface KeyedSend extends SendCall {
  /** The same for each try of one message, so that it is sent once. */
  readonly idempotencyKey: string
}

/** Sends a message of any kind. While the gateway does not answer, the same call is made again under the same key. */
export function useSendCall(credential: Credential | undefined) {
  return useMutation({
    networkMode: 'always',
    retry: (count, error) => error instanceof Problem && error.status === 0 && count < RETRIES,
    retryDelay: (count) => Math.min(PAUSE_MAX_MS, 500 * 2 ** count),
    mutationFn: async ({ operation, body, files, idempotencyKey }: KeyedSend): Promise<SendTextReply> => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      // The forms make a body of the operation; the gateway checks it again.
      const filled = (await fillBody(body, files)) as never
      return call(operation, credential, { body: filled, idempotencyKey })
    },
  })
}

import type { PasskeyStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** No pairing with a passkey, for the examples of operations. */
export const examplePasskey: PasskeyStatus = { state: 'none', publicKey: null, untilMs: null, code: null }

/** Answers with the step of a pairing with a passkey. */
export const passkey = operation('passkey', {
  // It changes nothing.
  repeat: true,
  example: examplePasskey,
  run: async ({ session }: InstanceContext): Promise<PasskeyStatus> => session.passkey.show(),
})

import type { PasskeyStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { examplePasskey } from './passkey.js'

/** Says that a person has seen the same code on the phone. */
export const confirmPasskey = operation('passkey.confirm', {
  // A pairing ends with its owner. The next one finds none that waits for it.
  repeat: true,
  example: examplePasskey,
  run: ({ session }: InstanceContext): Promise<PasskeyStatus> => session.passkey.confirm(),
})

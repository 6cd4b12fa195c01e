import type { PasskeyAssertion, PasskeyStatus } from '../../../schemas/session.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { examplePasskey } from './passkey.js'

interface AnswerPasskeyFields {
  readonly assertion: PasskeyAssertion
  readonly compareCode: boolean
}

/** Sends the signed challenge of a pairing with a passkey. */
export const answerPasskey = operation('passkey.answer', {
  // A pairing ends with its owner. The next one finds none that waits for it.
  repeat: true,
  example: examplePasskey,
  run: ({ session }: InstanceContext, { assertion, compareCode }: AnswerPasskeyFields): Promise<PasskeyStatus> =>
    session.passkey.respond(assertion, compareCode),
})

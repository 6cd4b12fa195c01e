import type { ReviseReply, ReviseRequest } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** Edits or deletes a message of this account, for everyone who has it; deletes a send that is still queued. */
export const revise = operation('revise', {
  // Phones take two changes with one id for one, and a message that is edited or deleted already stays as it is.
  repeat: true,
  example: ({ id }: ReviseRequest): ReviseReply => ({
    messageid: id as ReviseReply['messageid'],
    timestampMs: 1,
    content: {},
  }),
  run: ({ sends, limits }: InstanceContext, command: ReviseRequest): Promise<ReviseReply> =>
    sends.revise({ type: 'revise', ...command }).catch(async (error: unknown) => {
      throw await limits.explained(error)
    }),
})

import type { SendReply, SendRequest } from '../../../schemas/send-request.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { withChosenId } from './chosen-id.js'

/** Maximum delay that a caller waits for. A send with a longer one is answered as `queued`. A node of release 0.1.0 takes none above it. */
const DELAY_WAITED_FOR_MAX_MS = 300_000

/** Sends a message. Answers with the outcome at the network, or that the send is pending or queued. */
export const send = operation('send', {
  // The owner looks for the row of the message id first; see `schemas/shard-moved.ts`.
  repeat: (command: SendRequest) => (command.isRepeat ? command : { ...command, isRepeat: true }),
  waitMs: ({ options }) => Math.min(options.delayMs ?? 0, DELAY_WAITED_FOR_MAX_MS),
  example: ({ messageid }: SendRequest): SendReply => ({
    record: {
      id: 'r1',
      messageid,
      chatid: '5511999990002@s.whatsapp.net',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'sent',
      owner: '5511999990001',
    },
    warnings: [],
  }),
  run: (context: InstanceContext, command: SendRequest): Promise<SendReply> =>
    withChosenId(context, command, () =>
      context.sends.send({ type: 'send', ...command }).catch(async (error: unknown) => {
        throw await context.limits.explained(error)
      }),
    ),
})

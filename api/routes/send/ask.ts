import type { IncomingHttpHeaders } from 'node:http'
import type { CommandRouter } from '../../../actors/operations/router.js'
import type { SendOptions } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { SendContent } from '../../../schemas/send-content.js'
import { idempotencyOf } from '../../input/idempotency.js'
import { checkAddresses, sendOptionsOf } from './options.js'
import { scheduleOf } from './schedule.js'

export interface SendCall {
  readonly instance: InstanceRow
  readonly body: SendOptions & { readonly number: string }
  readonly headers: IncomingHttpHeaders
  readonly warnings: string[]
}

/** Asks the instance to send, now or at a time. Resolves with the message record. The message id is made here, so that a repeated command is safe. */
export async function askSend(
  { instance, body, headers, warnings }: SendCall,
  content: SendContent,
  router: CommandRouter,
  messageid: MessageId = newMessageId(),
): Promise<Readonly<Record<string, unknown>>> {
  checkAddresses(body)
  const schedule = scheduleOf(body, warnings)
  const request = {
    messageid,
    number: body.number,
    content,
    options: sendOptionsOf(body),
    ...idempotencyOf(headers, body),
  }
  const sent = await router.ask(
    instance.id,
    schedule === null ? { type: 'send', ...request } : { type: 'schedule', ...request, schedule },
  )
  // The instance checks a menu again when its placeholders are filled in.
  for (const warning of sent.warnings) if (!warnings.includes(warning)) warnings.push(warning)
  return sent.record
}

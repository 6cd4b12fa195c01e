import type { IncomingHttpHeaders } from 'node:http'
import type { SendOptions } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { InstanceRow } from '../../../schemas/ports/instances.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { SendReply } from '../../../schemas/send-request.js'
import { readIdempotency } from '../../input/idempotency.js'
import type { ApiPorts } from '../../ports.js'
import { checkAddresses, readSchedule, readSendOptions } from './options.js'

export interface SendCall {
  readonly instance: InstanceRow
  readonly body: SendOptions & { readonly number: string }
  readonly headers: IncomingHttpHeaders
  readonly warnings: string[]
}

/** Returns the id of the message that a call sends: the caller's own, or the same one for each call under an `Idempotency-Key`. */
export function messageIdFor(
  {
    instance,
    body,
    headers,
  }: Pick<SendCall, 'instance' | 'headers'> & { readonly body: { readonly messageid?: string } },
  { messageIds }: Pick<ApiPorts, 'messageIds'>,
): MessageId {
  if (body.messageid) return body.messageid as MessageId
  const key = headers['idempotency-key']
  return typeof key === 'string' ? messageIds.ofKey(instance.id, key) : newMessageId()
}

/** Asks the instance to send, now or at a time. Resolves with the message record. */
export async function askSend(
  call: SendCall,
  content: SendContent,
  ports: Pick<ApiPorts, 'router' | 'messageIds'>,
): Promise<Readonly<Record<string, unknown>>> {
  return (await askSendAs(messageIdFor(call, ports), call, content, ports)).record
}

/** Asks the instance to send under this id. The id is made by the API, so that a repeated command is safe. */
export async function askSendAs(
  messageid: MessageId,
  call: SendCall,
  content: SendContent,
  ports: Pick<ApiPorts, 'router'>,
): Promise<Pick<SendReply, 'record' | 'isFormer'>> {
  const { instance, body, headers, warnings } = call
  checkAddresses(body)
  const schedule = readSchedule(body, warnings)
  const request = {
    messageid,
    number: body.number,
    content,
    options: readSendOptions(body),
    ...(body.placeholders === false ? { isLiteral: true } : {}),
    ...(body.messageid === messageid ? { isChosen: true } : {}),
    ...readIdempotency(headers, body),
  }
  const sent = await ports.router.ask(
    instance.id,
    schedule === null ? { type: 'send', ...request } : { type: 'schedule', ...request, schedule },
  )
  // The instance checks a menu again when its placeholders are filled in.
  for (const warning of sent.warnings) if (!warnings.includes(warning)) warnings.push(warning)
  return sent
}

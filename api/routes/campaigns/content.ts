/** Makes the content of a campaign's messages as the send operations do. */

import type { CampaignSend } from '../../../schemas/campaign.js'
import { parseMenu } from '../../../schemas/choices/parse.js'
import { GatewayError } from '../../../schemas/errors.js'
import type {
  CampaignContent,
  CreateSimpleCampaignRequest,
  SendContactRequest,
  SendLocationRequest,
  SendMediaRequest,
  SendMenuRequest,
  SendPixButtonRequest,
  SendTextRequest,
} from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { invalidField } from '../../../schemas/invalid-field.js'
import { parsePixKey } from '../../../schemas/payment-request.js'
import type { SendContent } from '../../../schemas/send-content.js'
import type { Context } from '../../route.js'
import { makeContactContent } from '../send/contact.js'
import type { FilesCall } from '../send/files.js'
import { makeLocationContent } from '../send/location.js'
import { makeMediaContent } from '../send/media.js'
import { makeMenuContent } from '../send/menu.js'
import { readSendOptions } from '../send/options.js'
import { makeTextContent } from '../send/text.js'

// Bound: 1,048,576, a body or header of a request.

type Kind = CreateSimpleCampaignRequest['type']
type Field = keyof CampaignContent

const MENUS: ReadonlySet<Kind> = new Set(['button', 'list', 'poll', 'carousel'])

/** Types whose messages have a text, so that it can have variants. */
const WITH_TEXT: ReadonlySet<Kind> = new Set(['text', 'image', 'video', 'videoplay', 'document', ...MENUS])

/** @throws GatewayError INVALID_REQUEST if the messages have no text of which there could be several */
export function checkVariants({
  type,
  variants = [],
}: {
  readonly type: Kind
  readonly variants?: readonly unknown[]
}): void {
  if (variants.length > 0 && !WITH_TEXT.has(type))
    throw invalidField('variants', `is for messages with a text; ${type} has none`)
}

function requiredFields(type: Kind): readonly Field[] {
  if (type === 'text') return ['text']
  if (type === 'contact') return ['fullName', 'phoneNumber']
  if (type === 'location') return ['latitude', 'longitude']
  if (type === 'pix') return ['pixType', 'pixKey']
  return MENUS.has(type) ? ['text', 'choices'] : ['file']
}

/** Call that creates a campaign. */
export type CampaignCall = Pick<FilesCall, 'instance' | 'headers' | 'warnings' | 'files'>

/**
 * Makes the content of one message. Its files are stored under the id of the campaign, for as long as that is not finished.
 * @param at name of the message in the request, with a dot at its end; empty for the request itself
 * @throws GatewayError INVALID_REQUEST, INVALID_NUMBER, and the errors of files
 */
export async function makeCampaignSend(
  call: CampaignCall,
  message: CampaignContent & { readonly type: Kind },
  { folderId, at, context }: { readonly folderId: string; readonly at: string; readonly context: Context },
): Promise<CampaignSend> {
  for (const field of requiredFields(message.type))
    if (message[field] === undefined || message[field] === '')
      throw invalidField(`${at}${String(field)}`, 'is required')
  try {
    const mentions = Array.isArray(message.mentions) ? message.mentions.join(',') : message.mentions
    const { mentions: _, ...fields } = message
    const body = { ...fields, ...(mentions === undefined ? {} : { mentions }), number: '', async: true }
    const content = await makeContent(call, body, folderId as MessageId, context)
    const { async: __, ...options } = readSendOptions(body)
    return { content, options }
  } catch (error) {
    throw at === '' ? error : placed(error, at)
  }
}

async function makeContent(
  call: CampaignCall,
  body: Omit<CampaignContent, 'mentions'> & { type: Kind; number: string; async: boolean; mentions?: string },
  messageid: MessageId,
  context: Context,
): Promise<SendContent> {
  const { type } = body
  const { buttonText, choices, ...rest } = body
  if (type === 'text')
    return await makeTextContent({ ...call, body: rest as unknown as SendTextRequest }, messageid, context)
  if (type === 'contact') return makeContactContent(rest as unknown as SendContactRequest)
  if (type === 'location') return makeLocationContent(rest as unknown as SendLocationRequest)
  if (type === 'pix') return { kind: 'pix', key: parsePixKey(rest as unknown as SendPixButtonRequest) }
  if (MENUS.has(type)) {
    const listButton = rest.listButton ?? buttonText
    const menuBody = {
      ...rest,
      choices: (choices ?? []).map((choice) => choice.replace(/^([^|\n]*[|\n])reply:/, '$1')),
      ...(listButton === undefined ? {} : { listButton }),
    } as unknown as SendMenuRequest
    const menuCall = { ...call, body: menuBody }
    return await makeMenuContent(menuCall, 'menu', parseMenu(menuBody), { messageid, isKnown: false, context })
  }
  return await makeMediaContent({ ...call, body: rest as unknown as SendMediaRequest }, messageid, context)
}

/** Returns the error with the place of the message in the request. */
function placed(error: unknown, at: string): unknown {
  if (!(error instanceof GatewayError)) return error
  const { code, message, details, fields, retryAfterSeconds } = error
  return new GatewayError(code, {
    message: `${at.replace(/\.$/, '')}: ${message}`,
    ...(Array.isArray(details) ? { details: details.map((one: object) => placedDetail(one, at)) } : {}),
    fields,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    cause: error,
  })
}

function placedDetail(detail: object, at: string): object {
  return 'field' in detail ? { ...detail, field: `${at}${String(detail.field)}` } : detail
}

import { GatewayError } from '../../../schemas/errors.js'
import type { SendStatusReply, SendStatusRequest } from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import type { MediaContent, StatusStyle, TextContent } from '../../../schemas/send-content.js'
import {
  type AudienceReport,
  type RequestedAudience,
  STATUS_CHAT,
  STATUS_PEOPLE_MAX,
} from '../../../schemas/status-post.js'
import { readIdempotency } from '../../input/idempotency.js'
import { type ApiCall, type Context, instanceRoute } from '../../route.js'
import { messageIdFor } from './ask.js'
import { fileErrors, isAnswered, withFiles } from './files.js'
import { makeMediaContent } from './media.js'
import { readSendOptions, sendErrors, sendReply } from './options.js'

/** The backgrounds 1 to 19, as ARGB. The interface gives numbers only. */
const BACKGROUNDS: readonly number[] = [
  0xff25d366, 0xff128c7e, 0xff075e54, 0xff34b7f1, 0xff1e6e99, 0xff3b5998, 0xff5b51d8, 0xff8b3fd9, 0xffc13584,
  0xffe1306c, 0xfff4511e, 0xffff8a00, 0xfffbbc05, 0xff8d6e63, 0xff6d4c41, 0xff546e7a, 0xff37474f, 0xff212121,
  0xffb71c1c,
]
const WHITE = 0xffffffff

type Call = ApiCall<Parameters<typeof makeMediaContent>[0]['instance'], SendStatusRequest, undefined>

export const sendStatus = instanceRoute<SendStatusRequest>({
  method: 'POST',
  path: '/send/status',
  name: 'sendStatus',
  area: 'Send',
  scope: 'send',
  summary: 'Post a status: text, image, video or voice',
  schema: 'send/status.json',
  fileFields: ['file', 'thumbnail'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors, 'CONVERSION_UNAVAILABLE', 'NO_RECIPIENTS', 'NETWORK_REFUSED'],
  async handle(call, context): Promise<SendStatusReply> {
    const { instance, body, headers, warnings } = call
    const audience = readAudience(body, instance.defaultCountry)
    checkContent(body)
    const messageid = messageIdFor({ ...call, body: {} }, context.ports)
    // A repeated call has its post, and needs its file no more.
    const content = (await isAnswered(call, context)) ? makeText(body) : await makeContent(call, messageid, context)
    const options = readSendOptions({ ...tracked(body) })
    let debug: SendStatusReply['debug'] | undefined
    const record = await withFiles(content.kind === 'media' ? [content] : [], messageid, context, async () => {
      const request = { messageid, content, options, audience, ...readIdempotency(headers, body) }
      const sent = await context.ports.router.ask(instance.id, { type: 'sendStatus', ...request })
      debug = describeAudience(sent.report)
      for (const warning of sent.warnings) if (!warnings.includes(warning)) warnings.push(warning)
      return sent
    })
    return { ...sendReply(record), Id: String(record.messageid), debug: debug as SendStatusReply['debug'] }
  },
})

/** @throws GatewayError INVALID_REQUEST */
function readAudience(body: SendStatusRequest, country: string): RequestedAudience {
  const { recipients, max_recipients: max = STATUS_PEOPLE_MAX } = body
  const mode = body.audience ?? (recipients === undefined ? 'setting' : 'allowlist')
  const takesList = mode === 'allowlist' || mode === 'denylist'
  if (takesList && !recipients?.length) throw invalid('recipients', `is missing: ${mode} needs a list of people`)
  if (!takesList && recipients?.length)
    throw invalid('recipients', `is not for the audience ${mode}: use allowlist or denylist, or leave it out`)
  return { mode, people: recipients ?? [], country, max }
}

/** @throws GatewayError INVALID_REQUEST */
function checkContent({ type, text, file }: SendStatusRequest): void {
  if (type === 'text' && !text?.trim()) throw invalid('text', 'is missing: a status of type text needs it')
  if (type !== 'text' && !file) throw invalid('file', `is missing: a status of type ${type} needs it`)
}

async function makeContent(call: Call, messageid: MessageId, context: Context): Promise<TextContent | MediaContent> {
  const { body, warnings } = call
  const { type, text, file = '', mimetype, thumbnail } = body
  if (type === 'text') {
    for (const field of ['file', 'thumbnail', 'mimetype'] as const)
      if (body[field]) warnings.push(`${field}: a status of type text cannot carry it, ignored`)
    return makeText(body)
  }
  const isVoice = type !== 'image' && type !== 'video'
  for (const field of ['font', ...(isVoice ? [] : ['background_color' as const])] as const)
    if (body[field] !== undefined) warnings.push(`${field}: a status of type ${type} cannot carry it, ignored`)
  const media = await makeMediaContent(
    {
      ...call,
      body: {
        number: STATUS_CHAT.group as string,
        type: isVoice ? 'ptt' : type,
        file,
        ...(text ? { text } : {}),
        ...(mimetype ? { mimetype } : {}),
        ...(thumbnail ? { thumbnail } : {}),
      },
    },
    messageid,
    context,
  )
  return isVoice ? { ...media, style: { backgroundArgb: findBackground(body) } } : media
}

function makeText(body: SendStatusRequest): TextContent {
  const style: StatusStyle = { backgroundArgb: findBackground(body), textArgb: WHITE, font: body.font ?? 0 }
  return { kind: 'text', text: body.text ?? '', style }
}

function findBackground({ background_color: number = 1 }: SendStatusRequest): number {
  return BACKGROUNDS[number - 1] ?? WHITE
}

function tracked({ track_source, track_id }: SendStatusRequest) {
  return { ...(track_source ? { track_source } : {}), ...(track_id ? { track_id } : {}) }
}

function describeAudience({ isSetting, discarded_recipients, ...counts }: AudienceReport): SendStatusReply['debug'] {
  return {
    ...counts,
    from_setting: isSetting,
    discarded_recipients: discarded_recipients.map((one) => ({ ...one })),
    partial_send: counts.discarded > 0,
  }
}

function invalid(field: string, why: string): GatewayError {
  return new GatewayError('INVALID_REQUEST', {
    message: `Invalid request: ${field} ${why}.`,
    details: [{ field, why }],
  })
}

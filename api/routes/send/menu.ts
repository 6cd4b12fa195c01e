import { listMenuMedia, withoutSources } from '../../../schemas/choices/media-source.js'
import { type ParsedMenu, parseMenu } from '../../../schemas/choices/parse.js'
import type {
  SendMenuReply,
  SendMenuRequest,
  SendPixButtonReply,
  SendPixButtonRequest,
} from '../../../schemas/generated.js'
import type { MessageId } from '../../../schemas/ids.js'
import { parsePixKey } from '../../../schemas/payment-request.js'
import type { MenuContent } from '../../../schemas/send-content.js'
import { type Context, instanceRoute } from '../../route.js'
import { withSendErrorMessage } from '../message/reduced-record.js'
import { askSend, askSendAs, messageIdFor } from './ask.js'
import { type FilesCall, fileErrors, isAnswered, takeMedia, withFiles } from './files.js'
import { checkAddresses, sendErrors, sendReply } from './options.js'

export const sendMenu = instanceRoute<SendMenuRequest>({
  method: 'POST',
  path: '/send/menu',
  name: 'sendMenu',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send buttons, a list, a poll or a carousel',
  schema: 'send/menu.json',
  fileFields: ['imagebutton', 'choices[]{}'],
  idempotent: true,
  errors: [...sendErrors, ...fileErrors],
  async handle(call, context): Promise<SendMenuReply> {
    return sendReply(await askMenu(call, 'menu', parseMenu(call.body), context))
  },
})

export const sendPixButton = instanceRoute<SendPixButtonRequest>({
  method: 'POST',
  path: '/send/pix-button',
  name: 'sendPixButton',
  area: 'Send',
  scope: 'send',
  keyChat: { chat: 'number', messages: ['replyid'] },
  summary: 'Send a button that shows a payment key',
  schema: 'send/pix-button.json',
  idempotent: true,
  errors: [...sendErrors],
  async handle(call, { ports }): Promise<SendPixButtonReply> {
    const content = { kind: 'pix', key: parsePixKey(call.body) } as const
    const record = await askSend(call, content, ports).catch(withSendErrorMessage('Failed to send PIX button'))
    return sendReply(record)
  },
})

type MenuCall = FilesCall & { readonly body: { readonly fallback?: boolean } }

/** Asks the instance to send a menu, after its media were taken. Resolves with the message record. */
export async function askMenu(
  call: MenuCall,
  kind: 'menu' | 'carousel',
  { menu, warnings }: ParsedMenu,
  context: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const { ports } = context
  checkAddresses(call.body)
  const messageid = messageIdFor(call, ports)
  const isKnown = listMenuMedia(menu).length > 0 && (await isAnswered(call, context))
  const content = await makeMenuContent(call, kind, { menu, warnings }, { messageid, isKnown, context })
  const files = content.files ?? []
  const record = await withFiles(files, messageid, context, () => askSendAs(messageid, call, content, ports))
  return content.files === undefined ? record : { ...record, fileURL: ports.media.linkTo(call.instance.id, record) }
}

/** Takes the media of a menu, unless its send is known, and makes its content. */
export async function makeMenuContent(
  call: MenuCall,
  kind: 'menu' | 'carousel',
  { menu, warnings }: ParsedMenu,
  { messageid, isKnown, context }: { messageid: MessageId; isKnown: boolean; context: Context },
): Promise<MenuContent> {
  call.warnings.push(...warnings)
  const textFallback = call.body.fallback ?? context.options.menuTextFallback
  const media = listMenuMedia(menu)
  const files = isKnown ? [] : await takeMedia(media, call, messageid, context)
  return {
    kind,
    menu: withoutSources(menu),
    ...(media.length === 0 ? {} : { files }),
    ...(textFallback ? { textFallback } : {}),
  }
}

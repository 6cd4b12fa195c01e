import { mediaOf, withoutSources } from '../../../schemas/choices/media-of.js'
import type { ParsedMenu } from '../../../schemas/choices/parse.js'
import { newMessageId } from '../../../schemas/message-id.js'
import type { Context } from '../../route.js'
import { askSend } from './ask.js'
import { type FilesCall, isAnswered, takeMedia, withFiles } from './files.js'
import { checkAddresses } from './options.js'

type MenuCall = FilesCall & { readonly body: { readonly fallback?: boolean } }

/** Asks the instance to send a menu, after its media were taken. Resolves with the message record. */
export async function askMenu(
  call: MenuCall,
  kind: 'menu' | 'carousel',
  { menu, warnings }: ParsedMenu,
  context: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const { ports, options } = context
  checkAddresses(call.body)
  call.warnings.push(...warnings)
  const textFallback = call.body.fallback ?? options.menuTextFallback
  const messageid = newMessageId()
  const media = mediaOf(menu)
  const isKnown = media.length > 0 && (await isAnswered(call, context))
  const files = isKnown ? [] : await takeMedia(media, call, messageid, context)
  const content = {
    kind,
    menu: withoutSources(menu),
    ...(media.length === 0 ? {} : { files }),
    ...(textFallback ? { textFallback } : {}),
  }
  const record = await withFiles(files, messageid, context, () => askSend(call, content, ports.router, messageid))
  return media.length === 0 ? record : { ...record, fileURL: ports.media.linkTo(call.instance.id, record) }
}

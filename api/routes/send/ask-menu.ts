import { mediaOf } from '../../../schemas/choices/media-of.js'
import type { ParsedMenu } from '../../../schemas/choices/parse.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { Room } from '../../route.js'
import { askSend, type SendCall } from './ask.js'

type MenuCall = SendCall & { readonly body: { readonly fallback?: boolean } }

/** Asks the instance to send this menu; resolves with the message record. @throws GatewayError MEDIA_NOT_SUPPORTED */
export async function askMenu(
  call: MenuCall,
  kind: 'menu' | 'carousel',
  { menu, warnings }: ParsedMenu,
  { ports, options }: Room,
): Promise<Readonly<Record<string, unknown>>> {
  if (mediaOf(menu).length > 0) throw new GatewayError('MEDIA_NOT_SUPPORTED')
  call.warnings.push(...warnings)
  const textFallback = call.body.fallback ?? options.menuTextFallback
  return await askSend(call, { kind, menu, ...(textFallback ? { textFallback } : {}) }, ports.router)
}

/** Checks that a key of an instance may make a call: by the scope of the route, and by the one chat that the key may be for. */
import { GatewayError } from '../schemas/errors.js'
import { parseAddress, toChatId } from '../schemas/jid.js'
import type { InstanceRow, KeyGrant } from '../schemas/ports/instances.js'
import type { ApiPorts } from './ports.js'
import type { Route } from './route.js'

// Bound: 200, the id of a message.

/** Checks the scope, before anything else of the call. @throws GatewayError KEY_NOT_ENOUGH, KEY_OTHER_CHAT */
export function checkScope({ scope, keyChat, name, pairs }: Route, { scopes, chat, onlyPairs }: KeyGrant): void {
  if (onlyPairs === true) {
    if (pairs === true) return
    throw new GatewayError('KEY_NOT_ENOUGH', { message: `The pass of a pairing link does not allow ${name}.` })
  }
  if (scope === 'any') return
  // A route without a scope takes no keys.
  if (scope === undefined || scope === 'token')
    throw new GatewayError('KEY_NOT_ENOUGH', { message: `${name} needs the token of the instance; a key does not do.` })
  if (!scopes.includes(scope))
    throw new GatewayError('KEY_NOT_ENOUGH', {
      message: `The key does not allow ${name}: it needs the scope ${scope}, and has ${scopes.join(', ')}.`,
    })
  if (chat !== null && keyChat === undefined)
    throw new GatewayError('KEY_OTHER_CHAT', {
      message: `The key is for one chat, and ${name} is about more than one.`,
    })
}

/**
 * Checks that everything in the body belongs to the key's chat. Fills in the chat where the route allows it.
 * @throws GatewayError KEY_OTHER_CHAT, INVALID_NUMBER
 */
export async function checkChat(
  { keyChat }: Route,
  instance: InstanceRow,
  { chat }: KeyGrant,
  body: unknown,
  ports: Pick<ApiPorts, 'chats' | 'messages'>,
): Promise<void> {
  if (chat === null || keyChat === undefined) return
  const fields = body as Record<string, unknown>
  if (keyChat.chat !== undefined) {
    if (keyChat.isNarrowed && !fields[keyChat.chat]) fields[keyChat.chat] = chat
    const named = toChatId(parseAddress(String(fields[keyChat.chat] ?? ''), keyChat.chat))
    if (named !== chat && !(await ports.chats.isSame(instance.id, named, chat))) throw ofAnother(keyChat.chat)
  }
  for (const field of keyChat.messages ?? []) {
    const ids = [fields[field] ?? []].flat().filter((id) => id !== '')
    for (const id of ids) if (!(await isOfChat(String(id)))) throw ofAnother(field)
  }

  /** Tells whether the message is of the chat. A message that is not known may be of any. */
  async function isOfChat(id: string): Promise<boolean> {
    const [bare = '', ...owners] = id.split(':').reverse()
    if (owners.length > 1) return false
    const all = { id: bare, limit: 10, offset: 0 }
    const [anywhere, here] = await Promise.all([
      ports.messages.find(instance.id, all),
      ports.messages.find(instance.id, { ...all, chatid: chat ?? '' }),
    ])
    return here.messages.length > 0 && here.messages.length === anywhere.messages.length
  }
}

function ofAnother(field: string): GatewayError {
  return new GatewayError('KEY_OTHER_CHAT', {
    details: [{ field, why: 'is not of the chat that the key is for' }],
  })
}

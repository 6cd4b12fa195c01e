import { GatewayError } from '../../../schemas/errors.js'
import { addressOf, type ChatAddress, chatIdOf } from '../../../schemas/jid.js'
import type { ResolvedChat, SendsContext } from '../../operations/context.js'
import { throwLookUpRefusal } from './refusals.js'

/**
 * Finds both addresses of a chat: in memory, in the store, or on the network.
 * @param deadlineMs Unix time until which a connection is waited for
 * @throws GatewayError NOT_ON_NETWORK, SEND_REFUSED, and the errors of `connection`
 */
export async function resolveChat(
  context: SendsContext,
  asked: ChatAddress,
  deadlineMs: number,
): Promise<ResolvedChat> {
  const { id, reader, resolvedChats } = context
  const name = cacheName(context.life, asked)
  const cached = resolvedChats.get(name)
  if (cached !== undefined) return cached
  const address = (await storedAddresses(context, asked)) ?? (await lookUp(context, asked, deadlineMs))
  const chat = await reader.chat(id, address)
  const known: ResolvedChat = { address, expirationSeconds: Number(chat?.wa_ephemeralExpiration ?? 0) || 0 }
  resolvedChats.set(name, known)
  return known
}

/** Drops what is cached of a chat, because it changed. */
export function forgetChat(
  { life, resolvedChats }: Pick<SendsContext, 'life' | 'resolvedChats'>,
  chat: ChatAddress,
): void {
  resolvedChats.delete(cacheName(life, chat))
}

/** Returns both addresses of a person; null if the store knows only one. */
export async function storedAddresses({ id, reader }: SendsContext, asked: ChatAddress): Promise<ChatAddress | null> {
  if (asked.group !== undefined) return asked
  const one = chatIdOf(asked)
  const other = await reader.mapping(id, one)
  return other === null ? null : addressOf(one, other)
}

async function lookUp({ connection }: SendsContext, asked: ChatAddress, deadlineMs: number): Promise<ChatAddress> {
  const live = await connection(Math.max(0, deadlineMs - Date.now()))
  const found = await live.contacts.lookUp(asked).catch(throwLookUpRefusal)
  if (found !== null) return found
  throw new GatewayError('NOT_ON_NETWORK', {
    message: `The number ${chatIdOf(asked).split('@')[0]} has no account on the network.`,
    details: [{ field: 'number', why: 'has no account on the network' }],
  })
}

function cacheName(life: string, chat: ChatAddress): string {
  return `${life}:${chatIdOf(chat)}`
}

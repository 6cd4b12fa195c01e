import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, toChatAddress, toChatId } from '../../../schemas/jid.js'
import type { ResolvedChat, SendsContext } from './context.js'
import { throwLookUpRefusal } from './refusals.js'

// Bound: 100, an address.

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
  const known = await resolveKnownChat(context, asked)
  return known ?? (await lookUpOnce(context, asked, deadlineMs))
}

/** Look-ups under way. Sends to a person whom they ask for together learn of the answer in the order in which they asked. */
const asking = new WeakMap<SendsContext, Map<string, Promise<ResolvedChat>>>()

function lookUpOnce(context: SendsContext, asked: ChatAddress, deadlineMs: number): Promise<ResolvedChat> {
  const ofInstance = asking.get(context) ?? new Map<string, Promise<ResolvedChat>>()
  asking.set(context, ofInstance)
  const name = toChatId(asked)
  const running = ofInstance.get(name)
  if (running !== undefined) return running
  const found = lookUp(context, asked, deadlineMs)
    .then((address) => keepChat(context, asked, address))
    .finally(() => ofInstance.delete(name))
  ofInstance.set(name, found)
  return found
}

/** Finds both addresses of a chat in memory or in the store; null if only the network may know them. */
export async function resolveKnownChat(context: SendsContext, asked: ChatAddress): Promise<ResolvedChat | null> {
  const { id, life, reader, resolvedChats } = context
  const cached = resolvedChats.get(cacheName(life, asked))
  if (cached !== undefined) return cached
  if (asked.group !== undefined) return await keepChat(context, asked, asked)
  const one = toChatId(asked)
  const { other, expirationSeconds } = await reader.sendTarget(id, one)
  return other === null ? null : keep(context, asked, { address: toChatAddress(one, other), expirationSeconds })
}

/** Caches the addresses of a chat, together with its setting of disappearing messages. */
export async function keepChat(context: SendsContext, asked: ChatAddress, address: ChatAddress): Promise<ResolvedChat> {
  const expirationSeconds = await context.reader.expirationSeconds(context.id, address)
  return keep(context, asked, { address, expirationSeconds })
}

function keep({ life, resolvedChats }: SendsContext, asked: ChatAddress, known: ResolvedChat): ResolvedChat {
  resolvedChats.set(cacheName(life, asked), known)
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
  const one = toChatId(asked)
  const other = await reader.mapping(id, one)
  return other === null ? null : toChatAddress(one, other)
}

async function lookUp({ connection }: SendsContext, asked: ChatAddress, deadlineMs: number): Promise<ChatAddress> {
  const live = await connection(Math.max(0, deadlineMs - Date.now()))
  const found = await live.contacts.lookUp(asked).catch(throwLookUpRefusal)
  if (found !== null) return found
  throw notOnNetwork(asked)
}

export function notOnNetwork(asked: ChatAddress): GatewayError {
  return new GatewayError('NOT_ON_NETWORK', {
    message: `The number ${toChatId(asked).split('@')[0]} has no account on WhatsApp.`,
    details: [{ field: 'number', why: 'has no account on WhatsApp' }],
  })
}

function cacheName(life: string, chat: ChatAddress): string {
  return `${life}:${toChatId(chat)}`
}

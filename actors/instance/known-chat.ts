import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId } from '../../schemas/ids.js'
import { addressOf, type ChatAddress, chatIdOf, parseAddress } from '../../schemas/jid.js'
import type { InstanceReader } from './ports.js'

export interface KnownChat {
  /** Both addresses of a person, when both are known. */
  readonly address: ChatAddress
  readonly record: Readonly<Record<string, unknown>>
}

/** @throws GatewayError INVALID_NUMBER, CHAT_NOT_FOUND */
export async function knownChat(instance: InstanceId, number: string, reader: InstanceReader): Promise<KnownChat> {
  const address = await bothAddresses(instance, parseAddress(number), reader)
  const record = await reader.chat(instance, address)
  if (record === null) throw new GatewayError('CHAT_NOT_FOUND')
  return { address, record }
}

/** With the other address of a person, when it is known. */
export async function bothAddresses(
  instance: InstanceId,
  address: ChatAddress,
  reader: InstanceReader,
): Promise<ChatAddress> {
  if (address.group !== undefined) return address
  const other = await reader.mapping(instance, chatIdOf(address))
  return other === null ? address : addressOf(chatIdOf(address), other)
}

import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { type ChatAddress, otherSpelling, parseAddress, readUser, toChatAddress, toChatId } from '../../schemas/jid.js'
import type { InstanceReader } from './instance-reader.js'

export interface KnownChat {
  /** Both addresses of a person, if both are known. */
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

/** Without their 9, digits of a mobile number of Argentina may be those of a line in a house, and a message goes to one of the two. */
function spellingOfSame(digits: string): string | null {
  return digits.startsWith('54') ? null : otherSpelling(digits)
}

/** Adds the other address of a person, if it is known. Returns a number in the spelling under which it is known. */
export async function bothAddresses(
  instance: InstanceId,
  address: ChatAddress,
  reader: InstanceReader,
): Promise<ChatAddress> {
  if (address.group !== undefined) return address
  const other = await reader.mapping(instance, toChatId(address))
  if (other !== null) return toChatAddress(toChatId(address), other)
  const spelling = address.pn === undefined ? null : spellingOfSame(readUser(address.pn))
  if (spelling === null || (await reader.chat(instance, address)) !== null) return address
  const pn = `${spelling}@s.whatsapp.net` as Jid
  const lid = await reader.mapping(instance, pn)
  if (lid !== null) return toChatAddress(pn, lid)
  return (await reader.chat(instance, { pn })) === null ? address : { pn }
}

import type { Jid } from '../../../schemas/ids.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import { notPerson } from '../contacts/person.js'
import type { InstanceContext } from '../context.js'

export interface Person {
  /** As the caller wrote it. */
  readonly number: string
  /** Null when the number has no account. */
  readonly address: ChatAddress | null
}

/** Finds the addresses of people. Asks the network once, for all that are not known. @throws GatewayError INVALID_NUMBER */
export async function findPeople(context: InstanceContext, numbers: readonly string[]): Promise<readonly Person[]> {
  const given = numbers.map((number, index) => ({ number, address: parseAddress(number, `participants[${index}]`) }))
  const wrong = given.findIndex(({ address }) => address.group !== undefined)
  if (wrong >= 0) throw notPerson(`participants[${wrong}]`)
  const both = await Promise.all(
    given.map(async ({ number, address }) => ({
      number,
      address: await bothAddresses(context.id, address, context.reader),
    })),
  )
  const unknown = both.flatMap(({ address }) => (address.lid === undefined && address.pn ? [address.pn] : []))
  const found =
    unknown.length === 0
      ? new Map<Jid, ChatAddress>()
      : await orUnknown(async () => await (await context.connection()).contacts.lookUpAll([...new Set(unknown)]))
  return both.map(({ number, address }) => ({
    number,
    address: address.lid !== undefined || address.pn === undefined ? address : (found.get(address.pn) ?? null),
  }))
}

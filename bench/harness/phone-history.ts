/** Histories of phones of the simulated network, and how much of one a gateway has stored. */
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchGateway } from './gateway.js'
import type { BenchNetwork } from './network.js'

/** Gives the phone a history with one chat for each of `people`, to be sent to each companion after its first login. */
export async function giveHistory(
  { addresses }: BenchNetwork,
  phone: string,
  people: readonly string[],
  messagesOfEach: number,
): Promise<void> {
  const answer = await fetch(`${addresses.controlUrl}/phones/${phone}/history`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      chats: people.map((id, index) => ({
        id,
        name: `Person ${index}`,
        messages: Array.from({ length: messagesOfEach }, (_, place) => ({
          text: `message ${place} of chat ${index}, as long as people write them to each other`,
          timestamp: 1_700_000_000 + index * 100 + place,
        })),
      })),
      contacts: people.map((number, index) => ({ number, name: `Name ${index}` })),
    }),
  })
  if (!answer.ok) throw new Error(`A history was refused: ${answer.status} ${await answer.text()}`)
}

/** Resolves when the instance has `chats` chats with messages. */
export async function untilStored(gateway: BenchGateway, token: string, chats: number): Promise<void> {
  const filter = { limit: 1, wa_lastMsgTimestamp: '>0', wa_lastMessageType: 'text' }
  const count = async (): Promise<number> => {
    const { pagination } = await gateway.call<{ pagination: { totalRecords: number } }>(
      'POST',
      '/chat/find',
      token,
      filter,
    )
    return pagination.totalRecords
  }
  while ((await count()) < chats) await wait(100)
}

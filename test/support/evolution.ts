/** Calls of a gateway's Evolution API, as its clients make them. */
import assert from 'node:assert/strict'
import type { Reply } from './gateway.js'
import type { World } from './world.js'

export type Json = Record<string, unknown>

export interface EvolutionClient {
  call<T = Json>(method: string, path: string, body?: unknown, apikey?: string): Promise<Reply<T>>
  /** A call that must be answered with this status. */
  done<T = Json>(method: string, path: string, body?: unknown, status?: number): Promise<T>
}

export interface EvolutionInstance extends EvolutionClient {
  readonly name: string
  readonly token: string
}

/** Calls with this key, or with that of the administrator. */
export function evolutionClient({ gateway }: Pick<World, 'gateway'>, key?: string): EvolutionClient {
  const call = <T>(method: string, path: string, body?: unknown, apikey = key ?? gateway.adminToken) =>
    gateway.call<T>(method, `/evolution${path}`, { headers: { apikey }, ...(body === undefined ? {} : { body }) })
  return {
    call,
    async done<T>(method: string, path: string, body?: unknown, status = method === 'POST' ? 201 : 200) {
      const answer = await call<T>(method, path, body)
      assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
  }
}

/** Makes an instance, and pairs it with a new phone. The client has the key of the instance. */
export async function pairedEvolution(
  world: World,
  name: string,
  phone: string,
  more: Json = {},
): Promise<EvolutionInstance> {
  const admin = evolutionClient(world)
  const fields = { instanceName: name, integration: 'WHATSAPP-BAILEYS', ...more }
  const { hash } = await admin.done<{ hash: string }>('POST', '/instance/create', fields)
  await world.phone(phone, name)
  const client = evolutionClient(world, hash)
  await pairEvolution(world, client, name, phone)
  return { ...client, name, token: hash }
}

async function pairEvolution(world: World, client: EvolutionClient, name: string, phone: string): Promise<void> {
  const { eventually } = await import('./eventually.js')
  const shown = await client.done<Json>('GET', `/instance/connect/${name}?number=${phone}`)
  assert.match(String(shown.pairingCode), /^[A-Z0-9-]{8,9}$/, JSON.stringify(shown))
  await world.network('POST', `/phones/${phone}/code`, { code: shown.pairingCode })
  const state = async () =>
    (await client.done<{ instance: Json }>('GET', `/instance/connectionState/${name}`)).instance.state
  await eventually(state, (now) => now === 'open')
}

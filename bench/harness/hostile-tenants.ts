/** Hostile tenants, one of each kind, each with an instance of its own. */
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import type { GatewayClient } from './gateway.js'
import type { HostileAddresses } from './hostile-servers.js'
import type { NetworkControl } from './network.js'

export interface HostileWorld {
  readonly network: { readonly control: NetworkControl }
  readonly gateway: GatewayClient
  readonly servers: HostileAddresses
}

export interface HostileTenant {
  readonly kind: string
  /** Calls under way at once. */
  readonly atOnce: number
  /** Makes one call. It may fail, which costs the node something too. */
  act(): Promise<unknown>
  /** Let what its calls leave behind be done, and no longer be done. */
  begin?(): Promise<unknown>
  rest?(): Promise<unknown>
}

const MIB = 2 ** 20
/** Of each of two lanes. */
const TEXT_EVERY_MS = 30
const PERSON = '15550920100'
const INVISIBLE = '\u{E0041}\u{E0042}'.repeat(15_000)

export async function hostileTenants(world: HostileWorld): Promise<readonly HostileTenant[]> {
  const { network } = world
  await network.control('POST', '/phones', { phone: PERSON, refreshOnScan: false, autoDelivery: false })
  return [
    await talksToProvider(world, 'words of a provider: an error of 2 MiB', 'words'),
    await talksToProvider(world, 'JSON of a provider: 1.3 million values in 4 KB', 'bomb'),
    await talksToProvider(world, 'an answer of 220,000 letters in pieces of 50', 'long'),
    await slowReceiver(world),
    await endlessFiles(world),
    await chatwootFlood(world),
    await longTexts(world),
    await refusedBodies(world),
  ]
}

async function talksToProvider({ gateway, servers }: HostileWorld, kind: string, path: string): Promise<HostileTenant> {
  const token = await gateway.newInstance(path)
  const agent = {
    ...{ name: 'Eve', provider: 'custom', model: 'm', apikey: 'sk-0123456789-of-a-bench', maxMessageLength: 50 },
    ...{ baseUrl: `${servers.url}/${path}/v1`, basePrompt: 'Be kind.' },
  }
  // A model that refuses the first question is stored with a warning, or not at all: then its check is the attack.
  const made = await gateway.call<{ id?: string }>('POST', '/agent/edit', token, { agent }).catch(() => null)
  const trial = { agent_id: made?.id, messages: [{ role: 'user', text: 'hello' }] }
  const [at, body] = made === null ? ['/agent/edit', { agent }] : ['/agent/test', trial]
  return { kind, atOnce: 4, act: () => gateway.call('POST', at as string, token, body as object) }
}

/**
 * Gets texts, for each of which its receiver takes nearly three seconds: as many as fill the places of the receiver. More of them would slow the
 * simulated network down, which carries the texts of the measured tenant as well.
 */
async function slowReceiver({ network, gateway, servers }: HostileWorld): Promise<HostileTenant> {
  const { token, phone } = await paired({ network, gateway }, '15550920001')
  const webhook = { url: `${servers.url}/slow`, events: ['messages'] }
  const turn = (enabled: boolean) => gateway.call('POST', '/webhook', token, { ...webhook, enabled })
  await turn(true)
  return {
    begin: () => turn(true),
    rest: () => turn(false),
    ...{ kind: 'a receiver of webhooks that takes 2.9 s', atOnce: 2 },
    async act() {
      await network.control('POST', `/phones/${PERSON}/text`, { to: phone, text: 'again' })
      await wait(TEXT_EVERY_MS)
    },
  }
}

async function endlessFiles({ network, gateway, servers }: HostileWorld): Promise<HostileTenant> {
  const { token } = await paired({ network, gateway }, '15550920002')
  const send = { number: PERSON, type: 'image', file: `${servers.url}/trickle/a.png` }
  return {
    ...{ kind: 'files by URL that never end', atOnce: 50 },
    act: () => gateway.call('POST', '/send/media', token, send),
  }
}

/** Its webhooks come with the right path and the wrong one, and name a conversation each. */
async function chatwootFlood({ network, gateway, servers: { chatwoot } }: HostileWorld): Promise<HostileTenant> {
  const { token } = await paired({ network, gateway }, '15550920003')
  const { url, token: access_token, account: account_id, inbox: inbox_id } = chatwoot
  const turn = async (enabled: boolean) => {
    const set = await request(`${gateway.url}/chatwoot/config`, {
      ...{ method: 'PUT', headers: { token, 'content-type': 'application/json' } },
      body: JSON.stringify({ enabled, url, access_token, account_id, inbox_id }),
    })
    return (await set.body.json()) as { chatwoot_inbox_webhook_url: string }
  }
  const address = (await turn(true)).chatwoot_inbox_webhook_url
  const path = new URL(address).pathname
  let id = 0
  const act = async (): Promise<void> => {
    id += 1
    const isKnown = id % 4 !== 0
    const { body } = await request(`${gateway.url}${isKnown ? path : path.replace(/.$/, 'z')}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({
        ...{ event: 'message_created', id: 1_000_000 + id, message_type: 'outgoing', created_at: Date.now() / 1_000 },
        ...{ content: 'x'.repeat(isKnown ? 20_000 : MIB), account: { id: account_id } },
        conversation: { id: 100_000 + id, inbox_id, meta: { sender: { phone_number: `+${PERSON}` } } },
      }),
    })
    await body.dump()
  }
  const [begin, rest] = [() => turn(true), () => turn(false)]
  return { kind: 'a flood of webhooks of a Chatwoot', atOnce: 8, act, begin, rest }
}

async function longTexts({ network, gateway }: HostileWorld): Promise<HostileTenant> {
  const { token, phone } = await paired({ network, gateway }, '15550920004')
  for (let index = 0; index < 20; index += 1)
    await network.control('POST', `/phones/${PERSON}/text`, { to: phone, text: INVISIBLE })
  const headers = { token, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const params = { name: 'read_messages', arguments: { limit: 20 } }
  return {
    ...{ kind: '20 texts of 30,000 invisible characters over MCP', atOnce: 4 },
    async act() {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      await (await request(`${gateway.url}/mcp`, { method: 'POST', headers, body })).body.dump()
    },
  }
}

async function refusedBodies({ gateway }: HostileWorld): Promise<HostileTenant> {
  const token = await gateway.newInstance('bodies')
  const body = `{"number":"${PERSON}","text":"x","a":[${'{"a":[],"b":{}},'.repeat(60_000)}{}]}`
  const headers = { token, 'content-type': 'application/json' }
  return {
    ...{ kind: 'bodies of a megabyte that are refused', atOnce: 4 },
    act: async () =>
      void (await (await request(`${gateway.url}/send/text`, { method: 'POST', headers, body })).body.dump()),
  }
}

async function paired({ network, gateway }: Pick<HostileWorld, 'network' | 'gateway'>, phone: string) {
  await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
  return { phone, token: await gateway.pair(phone) }
}

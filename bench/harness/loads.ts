/** Work of one account that could make others wait: large groups, histories, hostile bodies and files. For the bench of lags. */
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { request } from 'undici'
import { defaultOptions } from '../../api/options.js'
import { type HostileBody, hostileBodies } from '../../test/support/hostile-bodies.js'
import type { BenchGateway } from './gateway.js'
import { type BenchNetwork, forEach } from './network.js'
import { giveHistory, untilStored } from './phone-history.js'
import { phoneNumbers } from './report.js'
import { upload } from './upload.js'

/** Things that the work is done with. */
export interface World {
  readonly network: BenchNetwork
  readonly gateway: BenchGateway
  /** Of the account that works. */
  readonly token: string
  readonly sender: string
  /** Another phone, which owns the groups and gets and sends the files. */
  readonly friend: string
}

export interface Load {
  readonly what: string
  readonly work: () => Promise<unknown>
}

const MIB = 1024 * 1024
const AT_ONCE = 4

/** The first text to a group of each size. Members have one device each and no session yet; nobody is in two groups. */
export async function largeGroups(world: World, sizes: readonly number[]): Promise<Load[]> {
  const { network, gateway, token, sender, friend } = world
  const all = phoneNumbers(
    5,
    0,
    sizes.reduce((sum, size) => sum + size - 2, 0),
  )
  await forEach(all, 8, (phone) => network.control('POST', '/phones', { phone, autoDelivery: false }))
  const loads: Load[] = []
  for (const size of sizes) {
    const members = [sender, ...all.splice(0, size - 2)]
    const group = { owner: friend, subject: `of ${size}`, members }
    const { jid } = await network.control<{ jid: string }>('POST', '/groups', group)
    const text = { number: jid, text: 'the first' }
    loads.push({
      what: `first text to ${size} members`,
      work: () => gateway.call('POST', '/send/text', token, text),
    })
  }
  return loads
}

const POST_PEOPLE = 5_000

/** Status posts to as many people as one may have: the first, for which nobody has a session yet, and another one. */
export async function posts({ network, gateway, token }: World): Promise<Load[]> {
  const [first = ''] = phoneNumbers(6, 0, 1)
  const crowd = { first, count: POST_PEOPLE, autoDelivery: false }
  const { numbers } = await network.control<{ numbers: string[] }>('POST', '/crowd', crowd)
  const recipients: string[] = []
  await forEach(numbers, 8, async (phone) => {
    recipients.push((await network.control<{ lid: string }>('GET', `/phones/${phone}`)).lid)
  })
  const post = async () => {
    const body = { type: 'text', text: 'to all', recipients }
    const { Id: id } = await gateway.call<{ Id: string }>('POST', '/send/status', token, body)
    for (let status = ''; status !== 'sent'; await wait(100)) {
      const { messages } = await gateway.call<{ messages: { status: string }[] }>('POST', '/message/find', token, {
        id,
      })
      status = messages[0]?.status ?? ''
      if (status === 'failed') throw new Error('The post has failed.')
    }
  }
  return ['first', 'second'].map((which) => ({ what: `${which} status post to ${POST_PEOPLE} people`, work: post }))
}

/** Phones with histories are linked; each history comes in parts of about a thousand messages. */
export async function histories({ network, gateway }: World): Promise<Load[]> {
  const loads: Load[] = []
  for (const [index, [chats, messagesOfEach]] of [[200, 25] as const, [1_000, 20] as const].entries()) {
    const phone = phoneNumbers(7, index, index + 1)[0] as string
    const people = phoneNumbers(8, 0, chats)
    await network.control('POST', '/phones', { phone, refreshOnScan: false, autoDelivery: false })
    await giveHistory(network, phone, people, messagesOfEach)
    loads.push({
      what: `link a phone, history of ${chats} chats and ${chats * messagesOfEach} messages`,
      work: async () => untilStored(gateway, await gateway.pair(phone), chats),
    })
  }
  return loads
}

/** Bodies of the largest size, each made to cost as much as it can before it is refused. */
export function hostile({ gateway, token }: World): Load[] {
  const bodies = hostileBodies(defaultOptions.bodyBytesMax)
  const each = Array.from({ length: 3 }, () => bodies).flat()
  return [
    {
      what: `${each.length} hostile bodies of 1 MiB`,
      work: () => forEach(each, 1, (one) => refuse(gateway, token, one)),
    },
    {
      what: `the same, ${AT_ONCE} at once`,
      work: () => forEach(each, AT_ONCE, (one) => refuse(gateway, token, one)),
    },
  ]
}

async function refuse({ url }: BenchGateway, token: string, { kind, path, json }: HostileBody): Promise<void> {
  const headers = { token, 'content-type': 'application/json' }
  const { statusCode, body } = await request(url + path, { method: 'POST', headers, body: json })
  await body.dump()
  if (statusCode !== 400) throw new Error(`${kind} was answered ${statusCode}.`)
}

/** Files in both directions. */
export async function files(world: World): Promise<Load[]> {
  const { network, gateway, token, sender, friend } = world
  const picture = await photograph(1_520, 1_140)
  const largePicture = await photograph(8_000, 6_000)
  const sendPicture = (file: string) => () =>
    gateway.call('POST', '/send/media', token, { number: friend, type: 'image', file })
  const ids: string[] = []
  for (let index = 0; index < 8; index += 1) {
    const document = { to: sender, kind: 'document', sizeBytes: 16 * MIB, fileName: `${index}.bin` }
    ids.push((await network.control<{ id: string }>('POST', `/phones/${friend}/media`, document)).id)
  }
  const isHere = async (id: string): Promise<boolean> => {
    const { messages } = await gateway.call<{ messages: unknown[] }>('POST', '/message/find', token, { id })
    return messages.length > 0
  }
  for (const id of ids) while (!(await isHere(id))) await wait(50)
  const download = (more: object) => async (id: string) => {
    const headers = { token, 'content-type': 'application/json' }
    const asked = JSON.stringify({ id, ...more })
    const answer = await request(`${gateway.url}/message/download`, { method: 'POST', headers, body: asked })
    // To parse megabytes would hold up this process, which times the calls of the other account.
    for await (const _ of answer.body);
    if (answer.statusCode !== 200) throw new Error(`A download was answered ${answer.statusCode}.`)
  }
  return [
    {
      what: 'send 8 files of 16 MiB as base64, 4 at once',
      work: () => forEach(ids, AT_ONCE, () => upload(gateway, token, { to: friend, sizeBytes: 16 * MIB })),
    },
    {
      what: 'send 20 pictures of 1 MiB as base64, 4 at once',
      work: () => forEach(times(20), AT_ONCE, sendPicture(picture)),
    },
    {
      what: `send a picture of 48 million pixels, ${mib(largePicture)} MiB`,
      work: sendPicture(largePicture),
    },
    {
      what: 'fetch 8 files of 16 MiB from the network, links, 4 at once',
      work: () => forEach(ids, AT_ONCE, download({})),
    },
    {
      what: 'the same files in answers, as base64, 4 at once',
      work: () => forEach(ids, AT_ONCE, download({ return_base64: true, return_link: false })),
    },
  ]
}

/** Returns a JPEG in base64, with as much noise as fits into one that is sent often. */
async function photograph(width: number, height: number): Promise<string> {
  const tile = { width: 400, height: 400, channels: 3 } as const
  const noise = sharp(randomBytes(tile.width * tile.height * tile.channels), { raw: tile })
  const large = await noise.resize(width, height).jpeg({ quality: 80 }).toBuffer()
  return large.toString('base64')
}

function times(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function mib(base64: string): string {
  return ((base64.length * 3) / 4 / MIB).toFixed(1)
}

// Own processors: it measures how long other calls wait.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { proto } from '@whiskeysockets/baileys'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { slowness } from '../support/main-thread-time.js'
import { startSteadyCaller } from '../support/steady-caller.js'

type Json = Record<string, unknown>

const [ANA, BEN, EVE] = ['15550453001', '15550453002', '15550453003']
const POSTS = 1_000
/** Kinds at the beginning that have no events. */
const QUIET_KINDS = 2

/** Posts that a stranger can make: not messages, halves of them, keys for the library, and deep or long ones. Control data comes first, and has no events. */
function hostilePosts(): readonly Buffer[] {
  const encode = (message: proto.IMessage) => Buffer.from(proto.Message.encode(message as proto.Message).finish())
  const senderKey = { groupId: `${BEN}@g.us`, axolotlSenderKeyDistributionMessage: randomBytes(80) }
  let deep: proto.IMessage = { conversation: 'deep' }
  for (let level = 0; level < 200; level += 1) deep = { ephemeralMessage: { message: deep } }
  const whole = encode({ extendedTextMessage: { text: 'x'.repeat(500), contextInfo: { stanzaId: 'A' } } })
  const options = Array.from({ length: 2_000 }, (_, index) => ({ optionName: `option ${index}` }))
  return [
    encode({ protocolMessage: { type: 0, key: { remoteJid: `${EVE}@s.whatsapp.net`, id: 'X', fromMe: true } } }),
    encode({ protocolMessage: { type: 5, historySyncNotification: { fileSha256: randomBytes(32) } } }),
    Buffer.alloc(0),
    randomBytes(500),
    whole.subarray(0, 200),
    encode({ senderKeyDistributionMessage: senderKey }),
    encode({ conversation: '\u0000\ud800 {{name}} \u202e'.repeat(1_000) }),
    encode({ conversation: 'x'.repeat(60_000) }),
    encode({ imageMessage: { url: 'http://127.0.0.1/x', jpegThumbnail: randomBytes(30_000), fileLength: 9e15 } }),
    encode({ pollCreationMessageV3: { name: 'Which?', options, selectableOptionsCount: 1 } }),
    encode(deep),
  ]
}

describe('a flood of hostile posts', () => {
  const {
    world,
    account: ana,
    receiver,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    events: ['newsletter_messages'],
  })
  const network = <T = Json>(method: string, path: string, body?: unknown) => world.network<T>(method, path, body)

  it('stops no account and holds up no other, and each post is stored', async (t) => {
    const other = await world.paired('15550453009', 'Otto')
    const { jid } = await network<{ jid: string }>('POST', '/channels', { owner: BEN, name: 'News', followers: [ANA] })
    await ana.done('/newsletter/subscribe', { id: jid })
    const kinds = hostilePosts()
    const written: string[] = []
    const samples: unknown[] = []
    const { url, pid } = world.gateway
    const endCalls = startSteadyCaller({ url: `${url}/instance/status`, token: other.token, pid })
    for (const [kind, bytes] of kinds.entries()) {
      const body = { bytes: bytes.toString('base64'), count: Math.ceil(POSTS / kinds.length), type: 'text' }
      const posts = await network<{ id: string }[]>('POST', `/channels/${jid}/posts`, body)
      if (kind >= QUIET_KINDS) written.push(...posts.map(({ id }) => id))
      samples.push(posts.at(-1)?.id)
      await network('POST', `/channels/${jid}/counts`, { views: written.length, emoji: '👍', by: [BEN, EVE] })
    }
    await world.write(EVE, ANA, 'behind the flood')
    const ids = new Set<unknown>()
    await eventually(
      () => {
        for (const { body } of receiver.of('newsletter_messages'))
          ids.add((body.message as Json | undefined)?.messageid)
        return written.filter((id) => !ids.has(id)).length
      },
      (missing) => missing === 0,
      120_000,
    )
    const calls = await endCalls()
    await ana.chat(EVE)
    for (const id of samples) assert.equal((await ana.messages({ id })).length, 1)
    const { devices } = await eventually(
      () => network<{ devices: { id: number; pending: number }[] }>('GET', `/phones/${ANA}`),
      (phone) => phone.devices.every(({ pending }) => pending === 0),
    )
    assert.ok(devices.length > 1)
    const { body } = await ana.call<{ response?: Json[] }>('GET', '/instance/connections')
    assert.doesNotMatch(JSON.stringify(body), /programError|storeFailed|dead/)
    const waits = calls.waitsMs.toSorted((one, another) => one - another)
    const median = waits[Math.floor(waits.length / 2)] ?? Number.POSITIVE_INFINITY
    assert.ok(median < 50, `calls of another instance took ${median} ms`)
    const worked = calls.mainThreadMs.toSorted((one, another) => one - another)
    const most = worked[Math.floor(worked.length * 0.99)] ?? 0
    t.diagnostic(
      `main thread within a call: 99 % ${most.toFixed(1)} ms, at most ${(worked.at(-1) ?? 0).toFixed(1)} ms of ${worked.length}`,
    )
    assert.ok(most / slowness() < 50, `the main thread ran for ${most} ms within 1 % of the calls of another instance`)
  })
})

/** Files that whoever knows their passphrase has made by hand: each is refused with a sentence, and changes nothing. */
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId, Jid } from '../../../schemas/ids.js'
import type { SendContent } from '../../../schemas/send-content.js'
import { parseSendWindow } from '../../../schemas/send-window.js'
import type { Cleanup } from '../../../test/support/cleanup.js'
import { aMessage, openTestStore, received, type TestStore } from '../../../test/support/store.js'
import { createAccessKeys } from '../access-keys.js'
import { createCampaigns } from '../campaigns/campaigns.js'
import { createChatwootConfigs } from '../chatwoot/config-rows.js'
import { createProxies } from '../proxies.js'
import { createWebhookRows } from '../webhooks.js'
import { CARRIED_TABLES, LEFT_TABLES } from './carried-tables.js'
import { createInstanceTransfer } from './instance-transfer.js'
import { splitLines } from './lines.js'
import { readInstanceData } from './read-instance.js'
import { sealFile } from './sealed-file.js'
import { writeInstance } from './write-instance.js'

const PASSPHRASE = 'a passphrase of some length'
const chat = { pn: '5511900000001@s.whatsapp.net' as Jid }
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const hashText = (text: string) => `\\x${createHash('sha256').update(text).digest('hex')}`

type Row = Record<string, unknown>
/** A line of the file: a table and a row of it, or whatever a test puts there. */
type Line = [table: string, row: Row]
interface File {
  readonly head: { instance: unknown; schema: unknown; columns: Record<string, string[]> }
  readonly lines: Line[]
}

describe('a file that was made by hand', async () => {
  // One pair of stores for all: no file below leaves anything behind, which each test asserts.
  const places = opened()

  async function* parts(text: string | Buffer): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += 16_384) yield bytes.subarray(from, from + 16_384)
  }
  const formatFile = ({ head, lines }: File): string =>
    [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')

  /** Writes the lines as they are after `change`; what was announced is counted again. */
  async function write(change: (file: File) => void, asText = formatFile): Promise<string> {
    const { to, text, checkWebhook } = await places
    const [head, ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as never)
    const file = { head, lines } as unknown as File
    change(file)
    const end = file.lines.find(([name]) => name === 'end')
    if (end !== undefined)
      for (const name of Object.keys(end[1])) end[1][name] = file.lines.filter(([one]) => one === name).length
    const limits = { bytesMax: 2 ** 28, packedBytes: () => 2 ** 28, check() {} }
    const lineStream = splitLines(parts(asText(file)), limits)
    return await writeInstance({
      pool: to.database.pool,
      encryption: to.encryption,
      lines: lineStream,
      webhooksMax: 3,
      checkWebhook,
    })
  }

  const findRow = ({ lines }: File, table: string): Row => {
    const found = lines.find(([name]) => name === table)
    assert.ok(found !== undefined, `the file has a row of ${table}`)
    return found[1]
  }
  /** One more row of a table, behind the last of it. */
  const add = ({ lines }: File, table: string, change: Row): void => {
    const last = lines.findLastIndex(([name]) => name === table)
    lines.splice(last + 1, 0, [table, { ...lines[last]?.[1], ...change }])
  }

  const refusals: Record<string, [change: (file: File) => void, says: RegExp | 'INSTANCE_EXISTS']> = {
    'an access key of another instance': [
      (file) => add(file, 'access_key', { instance_id: 'i000000000victim', id: 'deadbeef', hash: hashText('mine') }),
      /access_key\.instance_id must be i/,
    ],
    'a webhook of all instances': [
      (file) => (findRow(file, 'webhook').instance_id = null),
      /webhook\.instance_id must be i/,
    ],
    'a webhook of another instance': [
      (file) => (findRow(file, 'webhook').instance_id = 'i000000000victim'),
      /webhook\.instance_id must be i/,
    ],
    'a second instance': [(file) => add(file, 'instance', { id: 'i00000000another' }), /more than 1 rows of instance/],
    'another instance than the head says': [
      (file) => (findRow(file, 'instance').id = 'i00000000another'),
      /instance\.id must be i/,
    ],
    'no instance': [
      (file) => {
        const kept = file.lines.filter(([name]) => name !== 'instance' && name !== 'instance_proxy')
        file.lines.splice(0, file.lines.length, ...kept)
      },
      /no row of instance/,
    ],
    'the id of an instance that is here': [
      (file) => {
        const before = JSON.stringify(file.lines)
        file.lines.splice(
          0,
          Number.POSITIVE_INFINITY,
          ...(JSON.parse(before.replaceAll(String(file.head.instance), victim)) as Line[]),
        )
        file.head.instance = victim
      },
      'INSTANCE_EXISTS',
    ],
    'an id that is none': [(file) => (file.head.instance = "x'; DROP TABLE instance; --"), /names no instance/],
    'no id': [(file) => (file.head.instance = null), /names no instance/],
    'the token of another instance': [
      (file) => (findRow(file, 'instance').token_hash = hashText(tokens.victim)),
      'INSTANCE_EXISTS',
    ],
    'the access key of another instance as its token': [
      (file) => (findRow(file, 'instance').token_hash = hashText(tokens.key)),
      'INSTANCE_EXISTS',
    ],
    'the token of another instance as its access key': [
      (file) => (findRow(file, 'access_key').hash = hashText(tokens.victim)),
      'INSTANCE_EXISTS',
    ],
    'a former token that never ends': [
      (file) => Object.assign(findRow(file, 'access_key'), { kind: 'former', scopes: [], ends: null }),
      /access_key\.kind must be key, or former with an end/,
    ],
    'a scope that there is not': [
      (file) => (findRow(file, 'access_key').scopes = ['admin']),
      /access_key\.scopes must be/,
    ],
    'more keys than one can have': [
      (file) => {
        for (let index = 0; index < 200; index++)
          add(file, 'access_key', { id: index.toString(16).padStart(8, '0'), hash: hashText(`key ${index}`) })
      },
      /more than 200 rows of access_key/,
    ],
    'the webhook of another instance by its id': [
      (file) => (findRow(file, 'webhook').id = webhookOfVictim),
      'INSTANCE_EXISTS',
    ],
    'a webhook whose deliveries still wait here': [
      (file) => (findRow(file, 'webhook').id = orphanWebhook),
      'INSTANCE_EXISTS',
    ],
    'a webhook to a private address': [
      (file) => (findRow(file, 'webhook').url = 'http://169.254.169.254/latest'),
      /webhook to http:\/\/169\.254\.169\.254\/latest is refused/,
    ],
    'a webhook filter that there is not': [
      (file) => (findRow(file, 'webhook').exclude_messages = ['everything']),
      /webhook\.exclude_messages must be of/,
    ],
    'a batch of more events than a webhook may have': [
      (file) => Object.assign(findRow(file, 'webhook'), { batch_max: 501, batch_wait_ms: 0 }),
      /webhook\.batch_max must be 2 to 500/,
    ],
    'a batch that waits for ever': [
      (file) => Object.assign(findRow(file, 'webhook'), { batch_max: 2, batch_wait_ms: 5_001 }),
      /webhook\.batch_wait_ms must be 0 to 5000/,
    ],
    'a batch without its wait': [
      (file) => Object.assign(findRow(file, 'webhook'), { batch_max: 2, batch_wait_ms: null }),
      /webhook\.batch_max must be 2 to 500, with a batch_wait_ms/,
    ],
    'headers of a webhook that it could not send': [
      (file) => (findRow(file, 'webhook').access = encodeAccess({ host: 'another.example' })),
      /webhook\.access must be the headers and credentials of a webhook/,
    ],
    'more webhooks than one can have': [
      (file) => {
        for (let index = 0; index < 3; index++) add(file, 'webhook', { id: randomUUID() })
      },
      /more than 3 rows of webhook/,
    ],
    'a secret that is not base64': [
      (file) => (findRow(file, 'webhook').secret = '\\x00'),
      /webhook\.secret must be base64/,
    ],
    'credentials that would not be sealed': [
      (file) => (findRow(file, 'instance_credentials').data = 5),
      /instance_credentials\.data must be base64/,
    ],
    'a proxy that is none': [
      (file) => (findRow(file, 'instance_proxy').settings = Buffer.from('{"url":"file:///etc"}').toString('base64')),
      /instance_proxy\.settings must be the settings of a proxy/,
    ],
    'secrets of a Chatwoot that would not be read': [
      (file) => (findRow(file, 'chatwoot_config').secrets = Buffer.from('{"token":"x"}').toString('base64')),
      /chatwoot_config\.secrets must be the secrets of a Chatwoot/,
    ],
    'a Chatwoot that is no address': [
      (file) => (findRow(file, 'chatwoot_config').url = 'file:///etc/passwd'),
      /chatwoot_config\.url must be an address of HTTP/,
    ],
    'a Chatwoot that is switched on': [
      (file) => {
        file.head.columns.chatwoot_config?.push('enabled')
        findRow(file, 'chatwoot_config').enabled = true
      },
      /newer version/,
    ],
    'two proxies': [(file) => add(file, 'instance_proxy', {}), /more than 1 rows of instance_proxy/],
    'a key without bytes': [(file) => (findRow(file, 'signal_key').data = null), /signal_key\.data must not be null/],
    'a key of another instance': [
      (file) => (findRow(file, 'signal_key').instance_id = victim),
      /signal_key\.instance_id must be i/,
    ],
    'a send among the keys, which could name files of others': [
      (file) => (findRow(file, 'signal_key').kind = 'first-send'),
      /signal_key\.kind must not be that of a send/,
    ],
    'a message in a chat of another': [
      (file) => (findRow(file, 'message').chat_id = 999_999),
      /message\.chat_id names a chat that is not in the file/,
    ],
    'an alias for a chat of another': [
      (file) => (findRow(file, 'chat_alias').chat_id = 999_999),
      /chat_alias\.chat_id names a chat that is not in the file/,
    ],
    'a chat twice': [(file) => add(file, 'chat', {}), /chat \d+ is there twice/],
    'a contact twice': [(file) => add(file, 'contact', {}), /row of contact is there twice/],
    'a position in the order of all messages': [
      (file) => {
        file.head.columns.message?.push('position')
        findRow(file, 'message').position = 1
      },
      /newer version/,
    ],
    'the wish to be connected': [
      (file) => {
        file.head.columns.instance?.push('desired_connected')
        findRow(file, 'instance').desired_connected = true
      },
      /newer version/,
    ],
    'a column that the head does not name': [
      (file) => (findRow(file, 'message').position = 1),
      /not the columns that the head/,
    ],
    'no column of the instance': [
      (file) => {
        file.head.columns.webhook = file.head.columns.webhook?.filter((name) => name !== 'instance_id') ?? []
        delete findRow(file, 'webhook').instance_id
      },
      /leaves out webhook\.instance_id/,
    ],
    'a column twice': [(file) => file.head.columns.message?.push('text'), /head of the file/],
    'a table that does not travel': [
      (file) => {
        file.head.columns.admin_token = ['hash', 'source']
        file.lines.splice(0, 0, ['admin_token', { hash: hashText('mine'), source: 'made' }])
      },
      /newer version/,
    ],
    'a row of a table that the head does not name': [
      (file) => file.lines.splice(1, 0, ['shard_owner', { shard: 1, epoch: 99 }]),
      /table that the head does not name/,
    ],
    'a queued send with a file of another instance': [
      (file) =>
        Object.assign(findRow(file, 'message'), {
          status: 'queued',
          wasSentByApi: true,
          queued_request: JSON.stringify({ content: { kind: 'media', file: { name: 'of-the-victim', sizeBytes: 1 } } }),
        }),
      /message\.queued_request must not name a stored file/,
    ],
    'a queued menu with such a file': [
      (file) =>
        (findRow(file, 'message').queued_request = JSON.stringify({
          content: { kind: 'menu', files: [{ file: { name: 'x' } }] },
        })),
      /message\.queued_request must not name a stored file/,
    ],
    'a campaign that names a file of another instance': [
      (file) =>
        (findRow(file, 'campaign').template = formatTemplate({ file: { name: 'of-the-victim', sizeBytes: 1 } })),
      /campaign\.template must be JSON of a send without the name/,
    ],
    'a recipient whose own content names such a file': [
      (file) => (findRow(file, 'campaign_recipient').content = formatTemplate({ files: [{ file: { name: 'x' } }] })),
      /campaign_recipient\.content must be JSON of a send without the name/,
    ],
    'a campaign without content that can be sent': [
      (file) => (findRow(file, 'campaign').template = '{"content":{"kind":"spell"},"options":{}}'),
      /campaign\.template must be JSON of a send/,
    ],
    'a window that never opens': [
      (file) => (findRow(file, 'campaign').options = '{"window":{"days":[],"fromMinute":0,"toMinute":1}}'),
      /campaign\.options must have a window/,
    ],
    'a start in a hundred years': [
      (file) => (findRow(file, 'campaign').scheduled_at = '2126-01-01T00:00:00+00:00'),
      /campaign\.scheduled_at must be a time of this/,
    ],
    'a counter below zero': [
      (file) => (findRow(file, 'campaign_progress').deleted = -5),
      /campaign_progress\.deleted must be 0 to/,
    ],
    'recipients of no campaign': [
      (file) => (findRow(file, 'campaign_recipient').folder_id = 'r0000000000dead'),
      /names the campaign r0000000000dead, which is not in the file/,
    ],
    'a campaign without counters': [
      (file) =>
        file.lines.splice(
          file.lines.findIndex(([name]) => name === 'campaign_progress'),
          1,
        ),
      /campaign r00000000000001 has no counters/,
    ],
    'a recipient twice': [(file) => add(file, 'campaign_recipient', {}), /row of campaign_recipient is there twice/],
    'a status that there is not': [
      (file) => (findRow(file, 'message').status = 'lost'),
      /message\.status must be one of/,
    ],
    'content that no reader parses': [
      (file) => (findRow(file, 'message').content = '{'),
      /message\.content must be JSON/,
    ],
    'content without a bottom': [
      (file) => (findRow(file, 'message').content = '['.repeat(100_000) + ']'.repeat(100_000)),
      /message\.content must be JSON with fewer/,
    ],
    'a country that is none': [
      (file) => (findRow(file, 'instance').default_country = 'XX'),
      /instance\.default_country must be the ISO code of a country, or empty/,
    ],
    'names of fields that break the list of instances': [
      (file) => (findRow(file, 'instance').fields_map = 'null'),
      /instance\.fields_map must be JSON of a object/,
    ],
    'names of fields that are others': [
      (file) => (findRow(file, 'instance').fields_map = '{"wa_name":"x"}'),
      /instance\.fields_map must name custom lead fields/,
    ],
    'a time that is no date': [
      (file) => (findRow(file, 'instance').created = 'infinity'),
      /instance\.created must be a time/,
    ],
    'a time that retention never reaches': [
      (file) => (findRow(file, 'message').created = '9999-01-01T00:00:00+00:00'),
      /message\.created must not lie in the future/,
    ],
    'a sequence at the end of numbers': [
      (file) => (findRow(file, 'event_sequence').last = 2 ** 53 - 1),
      /event_sequence\.last must be 0 to/,
    ],
    'a number that is a text': [
      (file) => (findRow(file, 'message').messageTimestamp = '1'),
      /messageTimestamp must be a whole number/,
    ],
    'a text that is a list': [(file) => (findRow(file, 'message').text = ['a']), /message\.text must be a text/],
    'a text that PostgreSQL refuses': [
      (file) => (findRow(file, 'message').text = 'a\0b'),
      /message\.text must be a text without NUL/,
    ],
    'a key of an index that is too long': [
      // Not compressible: PostgreSQL would store it all the same.
      (file) => (findRow(file, 'signal_key').id = Array.from({ length: 400 }, () => randomUUID()).join('')),
      /value that the database refuses/,
    ],
    'a row that is a list': [(file) => (file.lines[0] = ['instance', [] as unknown as Row]), /is not an object/],
    'a line that is no row': [(file) => file.lines.splice(1, 0, 'x' as unknown as Line), /not a row/],
    'rows in another order': [
      (file) => file.lines.splice(-1, 0, ['instance', findRow(file, 'instance')]),
      /come after rows of/,
    ],
    'rows after its end': [
      (file) => file.lines.push(['contact', { ...findRow(file, 'contact'), jid: '1@s.whatsapp.net' }]),
      /damaged/,
    ],
    'fewer rows than it says': [
      (file) => {
        const end = file.lines.at(-1)?.[1] ?? {}
        Object.defineProperty(end, 'message', { enumerable: true, get: () => 7, set() {} })
      },
      /damaged/,
    ],
    'no end': [(file) => file.lines.pop(), /damaged/],
  }

  const formatTemplate = (content: object) => JSON.stringify({ content: { kind: 'media', ...content }, options: {} })
  let victim: InstanceId
  let webhookOfVictim: string
  const orphanWebhook = randomUUID()
  const tokens = { victim: '', key: '' }
  const cleanups: (() => unknown)[] = []

  async function opened() {
    const t: Cleanup = { after: (work) => void cleanups.unshift(work as () => unknown) }
    const [from, to] = [await openTestStore(t), await openTestStore(t)]
    const made = await to.instances.create({ name: 'victim', systemName: '', adminField01: '', adminField02: '' })
    victim = made.instance.id
    tokens.victim = made.token
    const keys = createAccessKeys({ pool: to.database.pool, onWritten() {} })
    tokens.key = (await keys.create(victim, { name: 'theirs', scopes: ['send'], chat: null, lifeMs: null })).token
    webhookOfVictim = (await hooked(to, victim)).id
    await to.rows('INSERT INTO delivery (webhook_id, lane, position, instance_id) VALUES ($1, 1, 1, $2)', [
      orphanWebhook,
      victim,
    ])
    const id = await paired(from)
    await createChatwootConfigs(from.database.pool, from.encryption).save(
      id,
      {
        ...{ enabled: true, url: 'https://chatwoot.example', accountId: 1, inboxId: 3, inboxIdentifier: 'abc' },
        ...{ tokenMask: '...ator', ignoreGroups: true, signMessages: true, createNewConversation: false },
      },
      { token: 'token', path: 'ab'.repeat(24), signature: '' },
      'https://chatwoot.example/inboxes/3',
      false,
    )
    const read: Buffer[] = []
    for await (const part of readInstanceData(from.database.pool, from.encryption, id, {
      webhooks: true,
      messages: true,
    }))
      read.push(part)
    const checkWebhook = async ({ url, secret }: { url: string; secret: string }) => {
      assert.equal(secret, SECRET)
      if (new URL(url).hostname === '169.254.169.254') throw new GatewayError('URL_NOT_ALLOWED')
    }
    return { to, id, text: Buffer.concat(read).toString(), checkWebhook }
  }

  it('is written as a whole when all of it is as an export makes it', async (t) => {
    t.after(async () => {
      const { to, id } = await places
      await to.instances.delete(id)
    })
    const { to, id } = await places
    assert.equal(await write(() => {}), id)
    assert.equal((await to.instances.byId(id))?.id, id)
  })

  for (const [what, [change, says]] of Object.entries(refusals))
    it(`is refused with ${what}`, async () => {
      const { to } = await places
      const before = await everything(to)
      await assert.rejects(
        async () => await write(change),
        (error) => {
          assert.ok(error instanceof GatewayError, `an error of ours: ${String(error)}`)
          if (says === 'INSTANCE_EXISTS') assert.equal(error.code, says)
          else {
            assert.equal(error.code, 'INVALID_EXPORT')
            assert.match(error.message, says)
          }
          return true
        },
      )
      assert.deepEqual(await everything(to), before)
    })

  const shapes: Record<string, [text: (file: File) => string, says: RegExp]> = {
    'a line without end': [(file) => `${JSON.stringify(file.head)}\n${'['.repeat(20 * 2 ** 20)}`, /line of more than/],
    'a head without end': [() => `{"instance":"${'i'.repeat(100_000)}"}\n`, /head of the file/],
    'a row of a million parts': [
      (file) => `${JSON.stringify(file.head)}\n["instance",{"a":[${'1,'.repeat(1_000_000)}1]}]\n`,
      /too many parts/,
    ],
    'bytes that are no text': [
      (file) => `${JSON.stringify(file.head)}\n["instance",{"id":"\u00ff"}]\n`,
      /not a row|columns/,
    ],
    nothing: [() => '', /damaged/],
  }
  for (const [what, [text, says]] of Object.entries(shapes))
    it(`is refused with ${what}`, async () => {
      const { to } = await places
      const before = await everything(to)
      await assert.rejects(
        write(() => {}, text),
        (error: GatewayError) => error.code === 'INVALID_EXPORT' && says.test(error.message),
      )
      assert.deepEqual(await everything(to), before)
    })

  it('is refused quickly and with flat memory when it is a bomb', async () => {
    const { to, text, checkWebhook } = await places
    const transfer = createInstanceTransfer({
      pool: to.database.pool,
      encryption: to.encryption,
      onWritten() {},
      limits: { bytesMax: 2 ** 31, timeoutMs: 60_000 },
      webhooksMax: 3,
      checkWebhook,
    })
    const head = text.slice(0, text.indexOf('\n') + 1)
    const [instance = ''] = text.slice(head.length).split('\n')
    const contact = text.split('\n').find((line) => line.startsWith('["contact"')) ?? ''
    const before = await everything(to)
    for (const [what, plain] of [
      ['one line of 32 MiB', Buffer.concat([Buffer.from(head), Buffer.alloc(32 * 2 ** 20, '[')])],
      [
        'one message of 32 MiB',
        Buffer.from(`${head}${instance}\n["message",{"text":"${'a'.repeat(32 * 2 ** 20)}"}]\n`),
      ],
      ['a million empty lines', Buffer.from(`${head}${instance}\n${'\n'.repeat(1_000_000)}`)],
      ['the same contact for ever', Buffer.from(`${head}${instance}\n${`${contact}\n`.repeat(100_000)}`)],
    ] as const) {
      const sealed: Buffer[] = []
      async function* packed() {
        yield gzipSync(plain)
      }
      for await (const part of sealFile(packed(), PASSPHRASE)) sealed.push(part)
      const file = Buffer.concat(sealed)
      assert.ok(file.length < 200_000, `${what}: ${file.length} bytes`)
      globalThis.gc?.()
      let memoryMax = 0
      const [cpu, memory] = [process.cpuUsage(), process.memoryUsage().rss]
      // A test that fails leaves it behind.
      const watch = setInterval(() => (memoryMax = Math.max(memoryMax, process.memoryUsage().rss - memory)), 5).unref()
      await assert.rejects(
        transfer.write(parts(file), PASSPHRASE),
        (error: GatewayError) => error.code === 'INVALID_EXPORT',
      )
      clearInterval(watch)
      // Half a second of it makes the key of the passphrase, in 64 MiB.
      const { user } = process.cpuUsage(cpu)
      assert.ok(user < 5_000_000, `${what}: ${user / 1_000} ms of the processor`)
      assert.ok(memoryMax < 200 * 2 ** 20, `${what}: ${memoryMax} bytes more`)
    }
    assert.deepEqual(await everything(to), before)
  })

  it('leaves no connection, and no import waits for it', async () => {
    const { to } = await places
    assert.ok(to.database.figures().every(({ held }) => held === 0))
    for (const cleanup of cleanups) await cleanup()
  })
})

/** A hash of each table that an import may write, in one statement. */
async function everything(store: TestStore): Promise<unknown> {
  const tables = new Set(['instance', 'admin_token', ...CARRIED_TABLES.map(({ name }) => name), ...LEFT_TABLES])
  const hashes = [...tables].map(
    (name) => `(SELECT md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) FROM ${name} AS t) AS ${name}`,
  )
  return await store.rows(`SELECT ${hashes.join(', ')}`)
}

function encodeAccess(headers: Record<string, string>): string {
  return Buffer.from(JSON.stringify({ origin: 'https://example.org', headers, username: '', password: '' })).toString(
    'base64',
  )
}

async function hooked(store: TestStore, instance: InstanceId) {
  return await createWebhookRows(store.database, store.encryption).insert({
    instance,
    enabled: true,
    url: 'https://example.org/hook',
    events: ['messages'],
    excludeMessages: [],
    addUrlEvents: false,
    addUrlTypesMessages: false,
    secret: SECRET,
  })
}

/** An instance with a row in every table that the files above change, marked as exported. */
async function paired(store: TestStore): Promise<InstanceId> {
  const id = await store.newInstance()
  await store.journal
    .forInstance(id, store.findEpoch(id))
    .write([
      { type: 'instance', set: { ownerJid: '5511900000009:3@s.whatsapp.net' as Jid } },
      { type: 'credentials', data: Buffer.from('the credentials') },
      { type: 'keys', entries: [{ kind: 'session', id: 'one', value: Buffer.alloc(100, 1) }] },
      received(aMessage({ chat, text: 'one', proto: Buffer.from('proto of one') })),
    ])
  await store.rows('INSERT INTO contact (instance_id, jid) VALUES ($1, $2) ON CONFLICT DO NOTHING', [id, chat.pn])
  const keys = createAccessKeys({ pool: store.database.pool, onWritten() {} })
  await keys.create(id, { name: 'ours', scopes: ['read'], chat: chat.pn, lifeMs: 60_000 })
  await hooked(store, id)
  await createProxies(store.database.pool, store.encryption).set(id, { url: 'http://proxy:1', fallback: 'never' })
  const content = { kind: 'text', text: 'hello' } as SendContent
  await createCampaigns(store.database.pool).create(id, {
    ...{ id: 'r00000000000001', info: '', send: { content, options: {} }, variants: [], dedupe: false },
    ...{ delayMinMs: 0, delayMaxMs: 0, startsInMs: 0, window: parseSendWindow({ timezone: 'UTC' }) },
    recipients: [{ address: chat.pn, send: { content, options: {} } }],
  })
  await store.rows('UPDATE instance SET exported_at = now() WHERE id = $1', [id])
  return id
}

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { Client } from 'pg'
import { createEncryption } from '../../runtime/store/encryption.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

type Json = Record<string, unknown>
const BEN = '15551200002'

it('what is secret stays so: tokens, keys and secrets are in no log, no error answer and no table, texts in no log', async (t) => {
  const encryptionKey = randomBytes(32)
  const clusterSecret = `canary-cluster-${randomBytes(8).toString('hex')}`
  const world = await startWorld(t, {
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    CLUSTER_SECRET: clusterSecret,
    WEBHOOK_BACKOFF_MIN_MS: '50',
    RECONNECT_DELAY_MAX_MS: '200',
  })
  const receiver = await startReceiver(t)
  const ana = await world.paired('15551200001', 'Ana')
  await world.phone(BEN)
  const hookKey = randomBytes(32)
  const hookSecret = `whsec_${hookKey.toString('base64')}`
  const made = await ana.call('POST', '/webhook', {
    url: `${receiver.url}?key=canary-in-the-url`,
    events: ['messages', 'connection'],
    enabled: true,
    secret: hookSecret,
  })
  assert.equal(made.status, 200)

  // A scenario with errors of every kind.
  const text = `canary-text-${randomBytes(8).toString('hex')}`
  const answers: string[] = []
  const fails = async (method: string, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const answer = await ana.call<Json>(method, path, body, headers)
    assert.ok(answer.status >= 400, `${method} ${path} answered ${answer.status}`)
    answers.push(JSON.stringify([answer.body, ...answer.headers]))
  }
  receiver.answer(500)
  await ana.text(BEN, text)
  await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text })
  await fails('POST', '/send/text', { number: '15551299999', text })
  await fails('POST', '/send/text', { number: 'nobody', text })
  await fails('POST', '/send/text', `{"number":"${BEN}","text":"${text}"`)
  await fails('POST', '/send/text', { number: BEN, text: `${text}\u0000` })
  await fails('POST', '/send/text', { number: BEN, text: { inside: text } })
  await fails('POST', '/webhook', { url: 'http://user:canary-password@example.org/', secret: hookSecret })
  await fails('POST', '/webhook', { action: 'update', id: 'unknown', secret: hookSecret })
  await fails('POST', '/instance/init', { name: text })
  await fails('POST', '/no/such/path', { text })
  const wrong = `canary-wrong-${randomBytes(8).toString('hex')}`
  await fails('GET', '/instance/status', undefined, { token: wrong })
  await fails('GET', '/instance/all', undefined, { admintoken: wrong })
  await fails('GET', `/sse?token=${wrong}&events=nonsense`, undefined, { token: '' })
  await world.network('POST', '/faults', { kind: 'ack-error', phone: ana.number, code: 479, times: 1 })
  await ana.call('POST', '/send/text', { number: BEN, text })
  await world.network('POST', '/faults/stream-error', { code: 503, phone: ana.number })
  await ana.connected()
  await eventually(async () => (await ana.call<Json[]>('GET', '/webhook/errors')).body.length > 0)
  await world.gateway.kill('SIGKILL')
  await world.gateway.start()
  await ana.connected()
  await world.gateway.kill('SIGTERM')

  const client = new Client({ connectionString: world.gateway.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  const signalKeys = await keysOf(client, ana.id, encryptionKey)
  assert.ok(signalKeys.length >= 4, 'the credentials hold the keys that are looked for')
  const secrets = {
    'the token': ana.token,
    'the admin token': world.gateway.adminToken,
    'the cluster secret': clusterSecret,
    'the webhook secret': hookSecret.slice(6),
    'the encryption key': encryptionKey.toString('base64'),
    ...Object.fromEntries(signalKeys.map((key, index) => [`Signal key ${index}`, key.toString('base64')])),
  }
  const bytes = [hookKey, encryptionKey, ...signalKeys]

  const printed = world.gateway.output()
  assert.ok(printed.length > 500)
  for (const [name, secret] of Object.entries({
    ...secrets,
    'a text': text,
    'a wrong token': wrong,
    'a password in a URL': 'canary-password',
  }))
    assert.ok(!printed.includes(secret), `${name} was printed: ${lineOf(printed, secret)}`)
  for (const key of bytes) assert.ok(!printed.includes(key.toString('hex')), lineOf(printed, key.toString('hex')))

  for (const answer of answers) {
    for (const [name, secret] of Object.entries({ ...secrets, 'a wrong token': wrong }))
      assert.ok(!answer.includes(secret), `${name} was answered: ${answer}`)
    assert.doesNotMatch(answer, /\bat .*\.(js|ts):\d+|node_modules|"stack"/)
  }

  for (const table of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT row_to_json(t)::text AS row FROM "${table}" AS t`)
    for (const { row } of rows) {
      for (const [name, secret] of Object.entries(secrets))
        assert.ok(!row.includes(secret), `${name} is in the table ${table}`)
      // `row_to_json` writes bytes as hex, so this also finds them bare, and their base64 written as bytes.
      for (const key of bytes)
        for (const form of [key, Buffer.from(key.toString('base64')), Buffer.from(key.toString('hex'))])
          assert.ok(!row.includes(form.toString('hex')), `a key is in the table ${table}`)
      assert.ok(!row.includes(Buffer.from(ana.token).toString('hex')), `the token is in the table ${table}`)
    }
  }
})

/** The private keys of the credentials, opened with the key that the test gave the gateway. */
async function keysOf(client: Client, instance: string, encryptionKey: Buffer): Promise<Buffer[]> {
  const { rows } = await client.query<{ data: Buffer }>(
    'SELECT data FROM instance_credentials WHERE instance_id = $1',
    [instance],
  )
  const opened = createEncryption(encryptionKey).open(rows[0]?.data as Buffer, instance, 'credentials')
  const credentials = JSON.parse(opened.toString()) as Json
  const found: Buffer[] = []
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) {
      if (name === 'advSecretKey') found.push(Buffer.from(String(value), 'base64'))
      return
    }
    const { type, data } = value as { type?: string; data?: string }
    if (type === 'Buffer' && typeof data === 'string') {
      if (/^priv/.test(name)) found.push(Buffer.from(data, 'base64'))
      return
    }
    for (const [key, inner] of Object.entries(value)) look(key, inner)
  }
  look('', credentials)
  return found
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  )
  return rows.map(({ tablename }) => tablename)
}

function lineOf(printed: string, secret: string): string {
  return printed.split('\n').find((line) => line.includes(secret)) ?? ''
}

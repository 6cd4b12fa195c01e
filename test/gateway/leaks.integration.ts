import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { Client } from 'pg'
import { createEncryption } from '../../runtime/store/encryption.js'
import { startProviders } from '../../sandbox/providers/index.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startS3 } from '../support/s3-server.js'
import { startWorld } from '../support/world.js'
import { everyAnswer } from './every-answer.js'

type Json = Record<string, unknown>
const BEN = '15551200002'

it('keeps tokens, keys and secrets out of logs, answers, events and tables, and texts out of logs', async (t) => {
  const encryptionKey = randomBytes(32)
  const canary = (what: string) => `canary-${what}-${randomBytes(8).toString('hex')}`
  const clusterSecret = canary('cluster')
  const planted = {
    metrics: canary('metrics'),
    s3: canary('s3'),
    database: canary('database'),
    passphrase: canary('export'),
    agentKey: canary('agent-key'),
    hookHeader: canary('hook-header'),
    hookPassword: canary('hook-password'),
  }
  const [prompt, functionKey] = [canary('prompt'), canary('function-key')]
  const s3 = await startS3(t, planted.s3)
  const stores = { between: async (url: string) => url.replace(/^(\w+:\/\/[^@/:]+)@/, `$1:${planted.database}@`) }
  const env = {
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    CLUSTER_SECRET: clusterSecret,
    METRICS_TOKEN: planted.metrics,
    ...s3.env,
    MEDIA_STORAGE: 's3',
    LOG_LEVEL: 'trace',
    WEBHOOK_BACKOFF_MIN_MS: '50',
    RECONNECT_DELAY_MAX_MS: '200',
    RATE_LIMIT_REFUSED_PER_MINUTE: '0',
    RATE_LIMIT_ADDRESS_PER_SECOND: '0',
    RATE_LIMIT_TOKEN_PER_SECOND: '0',
    RATE_LIMIT_INSTANCE_PER_SECOND: '0',
    PARK_TIMEOUT_MS: '1000',
  }
  const world = await startWorld(t, env, stores)
  assert.ok(world.gateway.environment.DATABASE_URL?.includes(planted.database))
  const receiver = await startReceiver(t)
  const ana = await world.paired('15551200001', 'Ana')
  await world.phone(BEN)
  const hookKey = randomBytes(32)
  const hookSecret = `whsec_${hookKey.toString('base64')}`
  const made = await ana.call('POST', '/webhook', {
    url: `${receiver.url.replace('//', `//me:${planted.hookPassword}@`)}?key=canary-in-the-url`,
    headers: { 'X-Key': planted.hookHeader },
    events: ['messages', 'connection', 'messages_update', 'chats', 'contacts'],
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
  /** An agent answers a message after a provider that quotes its prompt, with a call of a function. */
  async function agentAnswers(): Promise<void> {
    const providers = await startProviders()
    t.after(() => providers.close())
    const agent = await ana.call<Json>('POST', '/agent/edit', {
      agent: {
        ...{ name: 'Bot', provider: 'custom', model: 'm', apikey: planted.agentKey, basePrompt: prompt },
        baseUrl: providers.baseUrl('custom'),
      },
    })
    providers.clear()
    const trigger = { type: 'agent', agent_id: agent.body.id, responseDelay_seconds: 0 }
    assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
    const ping = { name: 'ping', description: prompt, method: 'POST', endpoint: `${providers.url}/${text}` }
    const headers = { authorization: `Bearer ${functionKey}` }
    await ana.done('/function/edit', { function: { ...ping, isActive: true, headers, body: { about: prompt } } })
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    const quoted = { error: { message: `${prompt} ${text} ${planted.agentKey}` } }
    providers.fail({ kind: 'status', status: 503, body: quoted })
    providers.answer({ calls: [{ name: 'ping', arguments: { about: text } }] })
    providers.answer({ calls: [{ name: 'ping', arguments: {} }] })
    providers.answer({ text: `${text} ${prompt}` })
    await world.network('POST', `/phones/${BEN}/text`, { to: ana.number, text })
    const [turn] = await eventually(
      async () => (await ana.call<{ turns: Json[] }>('GET', '/agent/turns?trace=true')).body.turns,
      ([one]) => one?.ended !== null && one !== undefined,
    )
    assert.equal(turn?.state, 'done', JSON.stringify(turn))
    assert.equal(providers.calls.length, 4)
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: false })
  }

  // It sends back what it got, as receivers for tests do.
  receiver.misbehave((response, { headers }) => response.writeHead(500).end(JSON.stringify(headers)))
  assert.match(JSON.stringify((await ana.call('POST', '/webhook/test', {})).body), /"statusCode":500.*x-key.*\*\*\*/)
  await ana.text(BEN, text)
  await agentAnswers()
  await fails('POST', '/send/text', { number: '15551299999', text })
  await fails('POST', '/send/text', { number: 'nobody', text })
  await fails('POST', '/send/text', `{"number":"${BEN}","text":"${text}"`)
  await fails('POST', '/send/text', { number: BEN, text: `${text}\u0000` })
  await fails('POST', '/send/text', { number: BEN, text: { inside: text } })
  await fails('POST', '/webhook', { url: 'http://user:canary-password@[::', secret: hookSecret })
  await fails('POST', '/webhook', { action: 'update', id: 'unknown', secret: hookSecret })
  await fails('POST', '/instance/init', { name: text })
  await fails('POST', '/no/such/path', { text })
  const asAdmin = { admintoken: world.gateway.adminToken }
  const { passphrase } = planted
  await fails('POST', '/admin/instance/export', { id: ana.id, passphrase }, asAdmin)
  await fails('POST', '/admin/instance/import', { file: 'bm8gZmlsZQ==', passphrase }, asAdmin)
  const wrong = `canary-wrong-${randomBytes(8).toString('hex')}`
  await fails('GET', '/instance/status', undefined, { token: wrong })
  await fails('GET', '/instance/all', undefined, { admintoken: wrong })
  await fails('GET', `/sse?token=${wrong}&events=nonsense`, undefined, { token: '' })
  await world.network('POST', '/faults', { kind: 'ack-error', phone: ana.number, code: 479, times: 1 })
  await ana.call('POST', '/send/text', { number: BEN, text })
  await world.network('POST', '/faults/stream-error', { code: 503, phone: ana.number })
  await ana.connected()
  await eventually(async () => (await ana.call<Json[]>('GET', '/webhook/errors')).body.length > 0)

  // Files with a key of their own, keys of the instance, other tokens: told once, by the call that makes them.
  const picture = { to: ana.number, kind: 'document', base64: randomBytes(3_000).toString('base64'), fileName: 'a.pdf' }
  const { id: fileId } = await world.network<{ id: string }>('POST', `/phones/${BEN}/media`, picture)
  await ana.call('POST', '/send/media', { number: BEN, type: 'document', file: picture.base64, docName: 'b.pdf' })
  await eventually(
    async () => (await ana.call<{ messages: Json[] }>('POST', '/message/find', { id: fileId })).body.messages,
    (found) => found.length === 1,
  )
  await ana.call('POST', '/message/download', { id: fileId, return_base64: true })
  const bob = await world.instance('bob')
  const makeSecret = async (path: string, body: Json, headers: Record<string, string>) => {
    const answer = await world.gateway.call<Json>('POST', path, { body, headers })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return String(answer.body.token ?? answer.body.admin_token ?? answer.body.secret ?? answer.body.code)
  }
  const admin = { admintoken: world.gateway.adminToken }
  const grace = { graceSeconds: 3_600 }
  const told = {
    'a key': await makeSecret('/instance/keys', { name: 'k', scopes: ['read'] }, { token: ana.token }),
    'a token after a rotation': await makeSecret('/instance/token/rotate', grace, { token: bob.token }),
    'an admin token after a rotation': await makeSecret('/admin/token/rotate', grace, admin),
    'a pass': await makeSecret('/pass', {}, { token: ana.token }),
    'a code of a link': await makeSecret('/pass/code', {}, { token: ana.token }),
    'the global webhook secret': await makeSecret(
      '/globalwebhook',
      { url: receiver.url, events: ['messages'], enabled: true },
      admin,
    ),
  }
  receiver.misbehave(undefined)
  receiver.answer(200)
  await ana.text(BEN, 'told to all')
  // What ends or moves the instance; what makes a secret was called above.
  const without = [
    ...['deleteInstance', 'disconnectInstance', 'resetInstance', 'connectInstance', 'drainNode', 'createInstance'],
    ...['rotateToken', 'rotateAdminToken', 'rotateInstanceToken', 'createKey', 'initInstance', 'setWebhook'],
    ...['setGlobalWebhook', 'deleteChat', 'leaveGroup'],
  ]
  const startedBadly = world.gateway.startSecond({
    ...{ ADMIN_TOKEN: 'canary bad admin', ENCRYPTION_KEY: 'canary-bad-key', DATABASE_URL: 'canary-bad-database' },
    ...{ CLUSTER_SECRET: 'canary-short', REDIS_URL: 'canary-bad-redis' },
  })
  const startedAway = world.gateway.startSecond({
    DATABASE_URL: `postgres://posthorn:${planted.database}@127.0.0.1:1/none`,
    NODE_ID: 'second',
  })
  const everywhere = await everyAnswer(world.gateway, {
    headers: { token: ana.token, ...admin, authorization: `Bearer ${planted.metrics}` },
    strangers: [{}, { token: told['a key'] }, { token: 'no-token', admintoken: ana.token }],
    without,
    fields: { number: BEN, id: fileId, chatid: BEN },
  })
  assert.ok(everywhere.length > 300)
  for (const name of [
    'listKeys',
    'listAudit',
    'tellMetrics',
    'listWebhooks',
    'tellOpenApi',
    'findMessages',
    'streamEvents',
  ])
    assert.ok(
      everywhere.some(({ from, status }) => from.startsWith(`${name} `) && status === 200),
      name,
    )
  const [bad, away] = await Promise.all([startedBadly, startedAway])
  assert.match(bad.output, /ENCRYPTION_KEY: its value/)
  assert.doesNotMatch(bad.output, /canary/)
  assert.match(away.output, /PostgreSQL was not reached/)
  const mediaKeys = (await world.network<Json[]>('GET', `/phones/${BEN}/messages?own=true`)).concat(
    await world.network<Json[]>('GET', `/phones/${ana.number}/messages`),
  )
  const fileKeys = [...JSON.stringify(mediaKeys).matchAll(/"mediaKey":"([^"]+)"/g)].map(([, key]) => String(key))
  assert.ok(fileKeys.length >= 1, 'the keys of files are known')
  await world.gateway.kill('SIGKILL')
  await world.gateway.start()
  await ana.connected()
  await world.gateway.kill('SIGTERM')

  const client = new Client({ connectionString: world.gateway.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  const signalKeys = await readKeys(client, ana.id, encryptionKey)
  assert.ok(signalKeys.length >= 4, 'the credentials hold the keys that are looked for')
  const secrets = {
    'the token': ana.token,
    'the admin token': world.gateway.adminToken,
    'the cluster secret': clusterSecret,
    'the webhook secret': hookSecret.slice(6),
    'the encryption key': encryptionKey.toString('base64'),
    'the token of metrics': planted.metrics,
    'the secret of S3': planted.s3,
    'the password of the database': planted.database,
    'the passphrase of an export': planted.passphrase,
    'the key of an agent': planted.agentKey,
    'the header of a webhook': planted.hookHeader,
    'the password of a webhook': planted.hookPassword,
    'the credentials of a webhook': Buffer.from(`me:${planted.hookPassword}`).toString('base64'),
    ...told,
    ...Object.fromEntries(fileKeys.map((key, index) => [`the key of file ${index}`, key])),
    ...Object.fromEntries(signalKeys.map((key, index) => [`Signal key ${index}`, key.toString('base64')])),
  }
  const bytes = [hookKey, encryptionKey, ...signalKeys]

  const printed = world.gateway.output()
  assert.ok(printed.length > 500)
  for (const [name, secret] of Object.entries({
    ...secrets,
    'a text': text,
    'a prompt': prompt,
    'the key of a function': functionKey,
    'a wrong token': wrong,
    'a password in a URL': 'canary-password',
  }))
    assert.ok(!printed.includes(secret), `${name} was printed: ${findLine(printed, secret)}`)
  for (const key of bytes) assert.ok(!printed.includes(key.toString('hex')), findLine(printed, key.toString('hex')))

  const delivered = receiver.got.map(({ body }) => JSON.stringify(body))
  assert.ok(delivered.some((text) => text.includes('told to all')))
  const outputs = [
    ...everywhere,
    ...[away.output, bad.output].map((text) => ({ from: 'a start that failed', text })),
    ...delivered.map((text) => ({ from: 'a webhook', text })),
  ]
  for (const { from, text: output } of outputs) {
    for (const [name, secret] of Object.entries({ ...secrets, 'the token of bob': bob.token }))
      assert.ok(
        !output.includes(secret),
        `${name} is in what ${from} answered: ${findLine(output, secret).slice(0, 2_000)}`,
      )
    for (const key of bytes) assert.ok(!output.includes(key.toString('hex')), from)
    assert.doesNotMatch(output, /\bat .*\.(js|ts):\d+|node_modules\/|"stack"/, from)
  }

  for (const answer of answers) {
    for (const [name, secret] of Object.entries({ ...secrets, 'a wrong token': wrong }))
      assert.ok(!answer.includes(secret), `${name} was answered: ${answer}`)
    assert.doesNotMatch(answer, /\bat .*\.(js|ts):\d+|node_modules|"stack"/)
  }

  for (const table of await listTables(client)) {
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
async function readKeys(client: Client, instance: string, encryptionKey: Buffer): Promise<Buffer[]> {
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

async function listTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
  )
  return rows.map(({ tablename }) => tablename)
}

function findLine(printed: string, secret: string): string {
  return printed.split('\n').find((line) => line.includes(secret)) ?? ''
}

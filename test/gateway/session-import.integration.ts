import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { it } from 'node:test'
import { useMultiFileAuthState } from '@whiskeysockets/baileys'
import { startSandbox } from '../../sandbox/index.js'
import { BareClient, type Credentials, until } from '../sandbox/bare-client.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'
import { createWorld } from '../support/world.js'

type Json = Record<string, unknown>

const [ANA, ZOE] = ['15550930001', '15550930009']

it('an account moves in from a plain Baileys program with its session, and reads and writes on where that stopped', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const gateway = await startGateway(t, { sandbox, env: { MEDIA_STORAGE: 'none' } })
  const world = createWorld(sandbox, gateway)
  for (const [number, name] of [
    [ANA, 'Ana'],
    [ZOE, 'Zoe'],
  ] as const)
    await world.phone(number, name)
  const fromZoe = (text: string, to = ANA) => world.network('POST', `/phones/${ZOE}/text`, { to, text })

  const folder = await mkdtemp(path.join(tmpdir(), 'session-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { state, saveCreds } = await useMultiFileAuthState(folder)
  const client = new BareClient(sandbox, { credentials: { ...state, values: new Map() } as unknown as Credentials })
  t.after(() => client.end())
  await client.pairByQr(ANA, false)
  const group = await world.network<{ jid: string }>('POST', '/groups', { owner: ZOE, members: [ANA], subject: 'A' })
  await fromZoe('to the other program')
  await fromZoe('to the other program, in the group', group.jid)
  await until('the texts', () =>
    ['to the other program', 'to the other program, in the group'].every((text) => client.received(text)),
  )
  await client.sendText(`${ZOE}@s.whatsapp.net`, 'from the other program')
  await eventually(
    () => world.network<Json[]>('GET', `/phones/${ZOE}/messages`),
    (all) => all.some(({ text }) => text === 'from the other program'),
  )
  await saveCreds()
  await client.end()
  const movedMs = Date.now()
  // Both are encrypted with keys that only the folder has.
  await fromZoe('while nobody was there')
  await fromZoe('while nobody was there, in the group', group.jid)

  const take = async (file: Buffer | string, more: Json = {}) =>
    await gateway.call<Json>('POST', '/admin/instance/import-session', {
      admin: true,
      body: { name: 'Ana', file: Buffer.from(file).toString('base64'), ...more },
    })
  const packed = () => execFileSync('tar', ['-C', folder, '-czf', '-', '.'])
  const asDocument = async (without: string) => {
    const files = (await readdir(folder)).filter((name) => name !== without)
    const texts = await Promise.all(files.map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]))
    return JSON.stringify(Object.fromEntries(texts))
  }
  const credentials = await readFile(path.join(folder, 'creds.json'), 'utf8')
  const { noiseKey: _, ...incomplete } = JSON.parse(credentials) as Json
  await writeFile(path.join(folder, 'creds.json'), JSON.stringify(incomplete))
  const withoutNoise = packed()
  await writeFile(path.join(folder, 'creds.json'), credentials)
  const whole = packed()
  const refused: [Buffer | string, string][] = [
    [withoutNoise, 'creds.noiseKey'],
    [await asDocument('creds.json'), 'creds.json'],
    [whole.subarray(0, whole.length >> 1), 'file'],
    ['no session', 'file'],
  ]
  for (const [file, field] of refused) {
    const { status, body } = await take(file, { connect: true })
    assert.deepEqual([status, body.code, (body.details as Json[])[0]?.field], [400, 'INVALID_SESSION', field])
  }
  assert.deepEqual((await gateway.call('GET', '/instance/all', { admin: true })).body, [])

  const { status, body } = await take(whole, { tags: ['moved in'] })
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(JSON.stringify(body.warnings), /the other gateway must stay stopped/)
  const { id, owner, tags } = body.instance as Json
  assert.deepEqual([owner, tags], [ANA, ['moved in']])
  assert.ok(Number(body.keys) > 30)
  const again = await take(await asDocument('none'))
  assert.deepEqual([again.status, again.body.code], [409, 'ACCOUNT_EXISTS'])
  assert.match(String(again.body.error), new RegExp(String(id)))
  const asTenant = await gateway.call('POST', '/admin/instance/import-session', {
    token: String(body.token),
    body: { name: 'x', file: 'QUJD' },
  })
  assert.equal(asTenant.status, 401)

  const asAna = <T>(method: string, to: string, json?: object) =>
    gateway.call<T>(method, to, { token: String(body.token), body: json })
  assert.equal((await asAna('POST', '/instance/connect', {})).status, 200)
  await eventually(
    async () => (await asAna<{ status: { connected: boolean } }>('GET', '/instance/status')).body.status.connected,
  )
  const texts = async () =>
    (await asAna<{ messages: Json[] }>('POST', '/message/find', { limit: 20 })).body.messages.map(({ text }) => text)
  await eventually(texts, (all) => all.length === 2)
  await fromZoe('after the move')
  await fromZoe('after the move, in the group', group.jid)
  for (const number of [ZOE, group.jid])
    assert.equal((await asAna('POST', '/send/text', { number, text: `from here to ${number}` })).status, 200)
  const found = await eventually(texts, (all) => all.length === 6)
  assert.deepEqual(found.toSorted(), [
    'after the move',
    'after the move, in the group',
    `from here to ${group.jid}`,
    `from here to ${ZOE}`,
    'while nobody was there',
    'while nobody was there, in the group',
  ])
  const arrived = await eventually(
    () => world.network<Json[]>('GET', `/phones/${ZOE}/messages`),
    (all) => all.filter(({ own }) => own !== true).length === 3,
  )
  assert.ok(arrived.every(({ own, arrivals }) => own === true || arrivals === 1))
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
  const logins = (await world.network<Json[]>('GET', `/log/logins?phone=${ANA}`)).filter(({ device }) =>
    String(device).startsWith(`${ANA}:`),
  )
  assert.equal(new Set(logins.map(({ device }) => device)).size, 1, 'no new pairing')
  assert.ok(logins.some(({ atMs }) => Number(atMs) > movedMs))
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { storedTexts } from '../support/backups.js'
import { testFolder, testPostgres } from '../support/embedded.js'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

const run = promisify(execFile)

it('a copy of the data folder of a stopped gateway continues from that moment, without a new pairing', async (t) => {
  const folder = testFolder(t)
  const [original, backup] = [path.join(folder, 'data'), path.join(folder, 'backup')]
  const world = await startWorld(t, {}, { embeddedIn: original })
  const receiver = await startReceiver(t)
  const ana = await world.paired('15552100001', 'Ana')
  await ana.hook(receiver.url)
  await world.phone('15552100009', 'Zoe')
  const fromZoe = (text: string) => world.network('POST', '/phones/15552100009/text', { to: ana.number, text })
  const heard = (): unknown[] =>
    receiver
      .of('messages')
      .map(({ body }) => body.message as { text: string; fromMe: boolean })
      .flatMap(({ text, fromMe }) => (fromMe ? [] : [text]))
  await ana.text('15552100009', 'before')
  await fromZoe('before')
  await eventually(() => heard().length === 1)

  // As many connections to the database as there may be.
  await Promise.all(Array.from({ length: 12 }, () => ana.call('POST', '/chat/find', {})))
  await world.gateway.kill('SIGTERM')
  assert.doesNotMatch(world.gateway.output(), /administrator command|"stack"|\n\s+at /)
  // Owners and modes stay: as root, PostgreSQL runs as another user.
  await run('cp', ['-a', original, backup])
  await world.gateway.start()
  await ana.connected()
  // Both sides move on, so that what is restored is behind.
  for (let index = 0; index < 3; index += 1) {
    await ana.text('15552100009', `lost ${index}`)
    await fromZoe(`lost ${index}`)
    await eventually(() => heard().length === 2 + index)
  }
  await world.gateway.kill('SIGTERM')

  await world.gateway.start({ DATA_DIR: backup })
  await ana.connected()
  await fromZoe('after')
  await eventually(() => heard().includes('after'))
  await ana.text('15552100009', 'after')
  const arrived = await eventually(
    async () =>
      (await world.network<{ text: string; own: boolean }[]>('GET', '/phones/15552100009/messages')).flatMap(
        ({ text, own }) => (own ? [] : [text]),
      ),
    (texts) => texts.includes('after'),
  )
  assert.deepEqual(arrived, ['before', 'lost 0', 'lost 1', 'lost 2', 'after'])
  // Newer records are not in the copy.
  const { body } = await ana.call<{ messages: { text: string }[] }>('POST', '/message/find', { limit: 50 })
  assert.deepEqual(new Set(body.messages.map(({ text }) => text)), new Set(['before', 'after']))
})

it('a backup of a running PostgreSQL, restored beside an empty Redis, continues from that moment, without a new pairing', async (t) => {
  const postgres = await testPostgres(t, () => ({ wal_level: 'replica' }))
  const world = await startWorld(t, {}, { postgres })
  const receiver = await startReceiver(t)
  const ana = await world.paired('15552110001', 'Ana')
  await ana.hook(receiver.url)
  await world.phone('15552110009', 'Zoe')
  const fromZoe = (text: string) => world.network('POST', '/phones/15552110009/text', { to: ana.number, text })
  const heard = (): unknown[] => receiver.of('messages').map(({ body }) => (body.message as { text: string }).text)
  await fromZoe('before')
  await eventually(() => heard().includes('before'))

  let isCopied = false
  const traffic = (async () => {
    for (let index = 0; !isCopied; index += 1) {
      await ana.text('15552110009', `meanwhile ${index}`)
      await fromZoe(`meanwhile to Ana ${index}`)
    }
  })()
  const restore = await postgres.backup()
  isCopied = true
  await traffic
  await ana.text('15552110009', 'lost')
  await fromZoe('lost to Ana')
  await eventually(() => heard().includes('lost to Ana'))

  await world.gateway.kill('SIGKILL')
  await restore()
  await world.gateway.redis.kill()
  await world.gateway.redis.start({ empty: true })
  await world.gateway.start()
  await ana.connected()
  await fromZoe('after')
  await eventually(() => heard().includes('after'))
  await ana.text('15552110009', 'after from Ana')
  await eventually(
    () => world.network<{ text: string }[]>('GET', '/phones/15552110009/messages'),
    (all) => all.some(({ text }) => text === 'after from Ana'),
  )
  const stored = await storedTexts(ana)
  for (const text of ['before', 'meanwhile 0', 'after', 'after from Ana']) assert.ok(stored.includes(text), text)
  assert.ok(!stored.includes('lost') && !stored.includes('lost to Ana'), 'what is newer than the backup is not in it')
})

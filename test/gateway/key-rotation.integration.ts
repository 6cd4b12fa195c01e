import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { eventually } from '../support/eventually.js'
import { startReceiver } from '../support/receiver.js'
import { startWorld } from '../support/world.js'

it('a new encryption key: everything is sealed again, and the old key can go without anyone pairing again', async (t) => {
  const world = await startWorld(t)
  const receiver = await startReceiver(t)
  const ana = await world.paired('15550900101', 'Ana')
  await world.phone('15550900102', 'Ben')
  await ana.text('15550900102', 'under the old key')
  await ana.hook(receiver.url)
  const ENCRYPTION_KEY = randomBytes(32).toString('base64')
  await world.gateway.kill()
  await assert.rejects(world.gateway.start({ ENCRYPTION_KEY }), /ENCRYPTION_KEY is not the key/)
  await world.gateway.start({ ENCRYPTION_KEYS_OLD: world.gateway.encryptionKey })
  await eventually(
    () => world.gateway.output(),
    (output) => output.includes('ENCRYPTION_KEYS_OLD may be unset'),
  )
  await world.gateway.kill()
  await world.gateway.start({ ENCRYPTION_KEYS_OLD: '' })
  await ana.connected()
  await world.network('POST', '/phones/15550900102/text', { to: ana.number, text: 'under the new key' })
  await ana.text('15550900102', 'answered under the new key')
  await eventually(
    () => receiver.of('messages').map(({ body }) => (body.message as { text: string }).text),
    (texts) => ['under the new key', 'answered under the new key'].every((text) => texts.includes(text)),
  )
  assert.deepEqual(await world.network('GET', '/log/retries'), [])
})

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { it, type TestContext } from 'node:test'
import { pino } from 'pino'
import type { Command } from '../../../actors/operations/index.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { eventually } from '../../../test/support/eventually.js'
import { type PeerClient, PeerLinks, type PeerOutcome } from './client.js'
import type { PeerCommand, PeerReply } from './protocol.js'
import { HttpPeerServer } from './server.js'

const SECRET = 'a secret of the whole cluster'

/** A process with a socket for the others of its machine, and one that calls it. */
async function startPair(t: TestContext, serve: (command: PeerCommand) => Promise<PeerReply>, callerSecret = SECRET) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'local-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const localPath = path.join(folder, '1.sock')
  const start = async (port = 0) => {
    const server = new HttpPeerServer({
      secret: SECRET,
      state: () => ({ incarnation: 'b1', nodeId: 'b', version: '1.0.0', isDraining: false, isGuardOpen: true }),
      serve,
      pull: async ({ epoch }) => ({ epoch: epoch + 1 }),
      readings: () => [],
      store: () => ({ incarnation: 'b1', nodeId: 'b', isHeeded: true, nodes: [] }),
      logger: pino({ level: 'silent' }),
      closeTimeoutMs: 500,
    })
    const listening = await server.listen({ host: '127.0.0.1', port, localPath })
    t.after(() => server.close())
    return { server, port: listening.port }
  }
  const { server, port } = await start()
  const client = new PeerLinks({ secret: callerSecret, findLocalPath: () => localPath, connectTimeoutMs: 60_000 })
  t.after(() => client.close())
  return { client, server, address: `127.0.0.1:${port}`, localPath, startAgain: () => start(port) }
}

function call(client: PeerClient, address: string, instance = 'i000000000000001'): Promise<PeerOutcome> {
  const command: Command = { type: 'status' }
  const context = { requestId: 'r-1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
  const asked: PeerCommand = { instance: instance as InstanceId, command, epoch: 7, leftMs: 60_000, context }
  return client.call(address, asked, { isOrdered: false, onPlaced: () => {} }).outcome
}

const reply = (instance: string) => ({ type: 'reply', reply: { of: instance } }) as unknown as PeerReply

it('calls between processes of a machine have the replies and errors of calls to other machines, and need no signature', async (t) => {
  const refused = new GatewayError('NOT_ON_NETWORK', { message: 'No account.', details: [{ field: 'number' }] })
  const serve = async ({ instance }: PeerCommand): Promise<PeerReply> => {
    if (instance === 'moved') return { type: 'moved', owner: 'moving', wasBegun: true }
    return instance === 'refused' ? { type: 'failed', error: refused } : reply(instance)
  }
  // With another secret a call over TCP would have no answer.
  const { client, address } = await startPair(t, serve, 'another secret')
  assert.deepEqual(await call(client, address, 'one'), reply('one'))
  assert.deepEqual(await call(client, address, 'moved'), { type: 'moved', owner: 'moving', wasBegun: true })
  const failed = await call(client, address, 'refused')
  assert.ok(failed.type === 'failed')
  const { code, message, details } = failed.error
  assert.deepEqual([code, message, details], ['NOT_ON_NETWORK', 'No account.', [{ field: 'number' }]])
  const names = Array.from({ length: 200 }, (_, index) => `i${index}`)
  assert.deepEqual(await Promise.all(names.map((name) => call(client, address, name))), names.map(reply))
  assert.deepEqual(await client.pull(address, { shard: 1, epoch: 4, by: 'a1' }, 60_000), { epoch: 5 })
})

it('calls take the way of other machines while the socket of the other process is not there', async (t) => {
  const { client, address, localPath } = await startPair(t, async ({ instance }) => reply(instance))
  rmSync(localPath)
  assert.deepEqual(await call(client, address, 'one'), reply('one'))
})

it('calls are lost with the process that has them, surely not sent while it is gone, and answered by the next one in its place', async (t) => {
  let hold = true
  let release = (): void => {}
  const held = new Promise<PeerReply>((resolve) => {
    release = () => resolve(reply('one'))
  })
  const { client, server, address, startAgain } = await startPair(t, async ({ instance }) =>
    hold ? held : reply(instance),
  )
  const lost = call(client, address)
  await eventually(
    () => server.inFlight,
    (count) => count === 1,
  )
  await server.close()
  assert.deepEqual(await lost, { type: 'lost', why: 'reset', wasSent: true })
  release()
  assert.deepEqual(await call(client, address), { type: 'lost', why: 'refused', wasSent: false })
  hold = false
  await startAgain()
  assert.deepEqual(await call(client, address, 'two'), reply('two'))
})

it('a wire of this machine on which something else than frames arrives is cut', async (t) => {
  const { localPath } = await startPair(t, async ({ instance }) => reply(instance))
  const socket = connect({ path: localPath })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  socket.write('GET /probe HTTP/1.1\r\n\r\n')
  await closed
})

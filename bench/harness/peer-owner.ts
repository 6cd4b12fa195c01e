/** A node that owns everything and answers at once, as a process of its own: the far end of `bench/peers.ts`. */
import { pino } from 'pino'
import type { ReplyOf } from '../../actors/operations/index.js'
import { repeatRules } from '../../actors/operations/index.js'
import { HttpPeerServer } from '../../runtime/cluster/peers/server.js'
import { OwnerRouter } from '../../runtime/cluster/router.js'

const { BENCH_SECRET: secret = '', BENCH_INCARNATION: incarnation = '' } = process.env

/** As long as the answer to a send. */
const record = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 'of some length']))
const reply: ReplyOf['send'] = { record, warnings: [] }

const router = new OwnerRouter({
  table: { findOwner: () => ({ incarnation, address: '', epoch: 1 }), onChange: () => () => {} },
  self: incarnation,
  local: { ask: async () => reply },
  peers: { call: () => ({ outcome: new Promise(() => {}), abort: () => {} }) },
  findShard: () => 0,
  rules: repeatRules,
})
const server = new HttpPeerServer({
  secret,
  state: () => ({ incarnation, nodeId: incarnation, version: '1.0.0', isDraining: false, isGuardOpen: true }),
  serve: (command) => router.serve(command),
  pull: async () => ({ epoch: null }),
  readings: () => [],
  store: () => ({ incarnation, nodeId: incarnation, isHeeded: true, nodes: [] }),
  logger: pino({ level: 'info' }, process.stderr),
})
const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`ready ${port}\n`)

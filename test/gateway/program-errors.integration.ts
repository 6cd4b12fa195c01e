import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testFolder } from '../support/embedded.js'
import { startWorld } from '../support/world.js'

/** Loaded before the program: once a file is there, no websocket can be made. */
const fault = (flag: string): string => `
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
const { setMaxListeners } = EventEmitter.prototype
// The library of websockets is a part of the program's one file, and is reached by what its class inherits.
EventEmitter.prototype.setMaxListeners = function (count) {
  const isWebSocket = this.constructor.name.endsWith('WebSocket')
  if (isWebSocket && existsSync(${JSON.stringify(flag)})) throw new TypeError('a fault of the program')
  return setMaxListeners.call(this, count)
}
`

it('a connect that fails by an error of the program is answered 500, and its log and the reason of the instance say so', async (t) => {
  const folder = testFolder(t)
  const preload = path.join(folder, 'fault.mjs')
  const flag = path.join(folder, 'is-wrong')
  writeFileSync(preload, fault(flag))
  const world = await startWorld(t, {
    NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
    RECONNECT_DELAY_MIN_MS: '60000',
    RECONNECT_DELAY_MAX_MS: '60000',
  })
  const paired = await world.paired('15550990001')
  const unpaired = await world.instance()
  writeFileSync(flag, '')

  const refused = await unpaired.call('POST', '/instance/connect')
  assert.deepEqual([refused.status, refused.body.code], [500, 'INTERNAL'])
  assert.equal(typeof refused.body.request_id, 'string')
  assert.doesNotMatch(JSON.stringify(refused.body), /fault of the program|[Ss]tore/)
  const { instance } = await unpaired.status()
  assert.match(String(instance.lastDisconnectReason), /^The gateway had an internal error/)
  const logged = (part: string) =>
    world.gateway
      .output()
      .split('\n')
      .find((line) => line.includes('"level":"error"') && line.includes(`"part":"${part}"`))
  assert.match(String(logged('network')), /"err":\{"type":"TypeError","message":"a fault of the program"/)
  const call = JSON.parse(String(logged('api')))
  assert.equal(call.requestId, refused.body.request_id)
  assert.match(call.err.stack, /TypeError: a fault of the program\n +at/)

  // One that is paired loses its connection and meets the same at the next one.
  assert.equal((await paired.call('POST', '/instance/reset')).status, 200)
  const again = await paired.call('POST', '/instance/connect')
  assert.deepEqual([again.status, again.body.code], [500, 'INTERNAL'])
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ModelAddress } from '../../../schemas/agents/models.js'
import type { InstanceId } from '../../../schemas/ids.js'
import { startAnswerServer } from '../../../test/support/answer-server.js'
import { hostileAnswers } from '../../../test/support/hostile-answers.js'
import { longestStopMs } from '../../../test/support/main-thread-time.js'
import { calling, question } from '../../../test/support/models.js'
import { createAgentModels } from '../../agents/models/agent-models.js'
import { ChatwootApi } from '../../chatwoot/chatwoot-api.js'
import { createWork } from '../../work/work.js'
import { createOutgoing } from '../client.js'

const MAX_MS = 20

it('takes an answer of a server that a tenant names for less than 20 ms of the event loop, whatever is in it', async (t) => {
  const server = await startAnswerServer(t)
  const outgoing = createOutgoing({ allowPrivateAddresses: true, userAgent: 'posthorn-test' })
  t.after(() => outgoing.close())
  const models = createAgentModels({ outgoing, perInstanceMax: 8, work: createWork() })
  const chatwoot = new ChatwootApi(outgoing, { url: server.url, accountId: 1, token: 'token', owner: 'ana' })
  let calls = 0
  // Another key each time: a provider whose answers are broken is not asked again for a while.
  const address = (): ModelAddress => ({
    instance: 'i00000000000test' as InstanceId,
    provider: 'custom',
    model: 'm',
    baseUrl: `${server.url}/v1`,
    apiKey: `key-${++calls}`,
  })
  const answer = () => models.generate(address(), question('Hello?'), calling())
  const vectors = { purpose: 'query', dimensions: 8 } as const
  const uses: readonly (readonly [string, number, number, () => Promise<unknown>])[] = [
    ['an answer of a model', 200, 1024 * 1024, answer],
    // The size up to which the words of an error are read.
    ['an error of a model', 400, 64 * 1024, answer],
    ['vectors', 200, 1_000_000, () => models.embed(address(), ['a'], { ...vectors, ...calling() })],
    ['messages of Chatwoot', 200, 1_000_000, () => chatwoot.messages(1, 1)],
  ]
  const slow: string[] = []
  for (const [use, status, bytes, call] of uses)
    for (const { kind, json } of hostileAnswers(bytes)) {
      await server.answer(status, gzipSync(json, { level: 1 }))
      const ms = await longestStopMs(() => call().catch(() => {}), MAX_MS)
      if (ms >= MAX_MS) slow.push(`${use}, ${kind}: ${ms.toFixed(1)} ms`)
    }
  assert.deepEqual(slow, [])
})

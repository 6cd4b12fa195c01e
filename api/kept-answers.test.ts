import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { GatewayError } from '../schemas/errors.js'
import type { FirstCall, KeptAnswers, KeyedCall } from '../schemas/ports/requests.js'
import { startFakeNode } from '../test/support/fake-node.js'
import { withKeptAnswer } from './kept-answers.js'
import { Created } from './route.js'
import { routes } from './routes.js'

const call: KeyedCall = { instance: null, idempotencyKey: 'k', requestHash: 'h' }

function memory(first: FirstCall | null = null): KeptAnswers & { first: FirstCall | null } {
  return {
    first,
    async begin({ requestHash }) {
      const known = this.first
      this.first ??= { requestHash, answer: null }
      return known
    },
    async keep({ requestHash }, answer) {
      this.first = { requestHash, answer }
    },
    async release() {
      this.first = null
    },
  }
}

describe('an operation that creates something', () => {
  it('takes an Idempotency-Key', () => {
    const creates =
      /^(create|init|add|import|send|open|copy|schedule)|^edit(Agent|Trigger|Function|Knowledge|QuickReply|Label)$|^setWebhook$/
    const others = routes.filter((route) => route.method === 'POST' && (creates.test(route.name) || route.creates))
    assert.ok(others.length > 25, String(others.length))
    assert.deepEqual(
      others.filter(({ idempotent }) => idempotent === undefined).map(({ name }) => name),
      [],
    )
  })

  it('gives its first answer again, with its status, and does nothing then', async (t) => {
    const node = await startFakeNode(t)
    const make = (name: string, key: string) =>
      node.call('/group/create', {
        json: { name, participants: ['5511999990002'] },
        headers: { 'idempotency-key': key },
      })
    const [first, same] = await Promise.all([make('Team', 'a'), make('Team', 'a')])
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual([same.status, same.body], [first.status, first.body])
    assert.equal(node.commands.length, 1)
    const other = await make('Choir', 'a')
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
    await make('Choir', 'b')
    assert.equal(node.commands.length, 2)
    const wrong = await make('Choir', 'ü')
    assert.deepEqual((wrong.body.details as { field: string }[])[0]?.field, 'Idempotency-Key')
  })

  it('may be repeated under its key after an error that did nothing', async () => {
    const answers = memory()
    const refused = async () => {
      throw new GatewayError('RECORD_LIMIT')
    }
    await assert.rejects(withKeptAnswer(answers, call, refused), { code: 'RECORD_LIMIT' })
    const made = await withKeptAnswer(answers, call, async () => new Created({ id: 'r1' }))
    const again = await withKeptAnswer(answers, call, async () => assert.fail('done twice'))
    assert.deepEqual([made, again], [new Created({ id: 'r1' }), new Created({ id: 'r1' })])
  })

  it('is not done again when nobody knows the end of the first call', async () => {
    const answers = memory()
    const lost = async () => {
      throw new GatewayError('OUTCOME_UNKNOWN')
    }
    await assert.rejects(withKeptAnswer(answers, call, lost), { code: 'OUTCOME_UNKNOWN' })
    const again = withKeptAnswer(answers, call, async () => assert.fail('done twice'), 0)
    await assert.rejects(again, { code: 'OUTCOME_UNKNOWN', message: /has no answer/ })
  })
})

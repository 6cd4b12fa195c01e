import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { startSandbox } from '../../sandbox/index.js'
import { eventually } from '../support/eventually.js'
import { startGateway } from '../support/gateway.js'
import { type Received, startReceiver } from '../support/receiver.js'
import { sharedEvenly } from '../support/shards.js'
import { createWorld } from '../support/world.js'

it('the trace of a call continues in the webhooks that it causes, whichever node took the call', async (t) => {
  const sandbox = await startSandbox()
  t.after(() => sandbox.close())
  const first = await startGateway(t, { sandbox, env: { NODE_ID: 'n1', MEDIA_STORAGE: 'none' } })
  const second = await startGateway(t, { sandbox, env: { NODE_ID: 'n2', MEDIA_STORAGE: 'none' }, beside: first })
  await sharedEvenly([first, second])
  const world = createWorld(sandbox, first)
  const ana = await world.paired('15551800001', 'Ana')
  const [ofAna, ofBen] = [await startReceiver(t), await startReceiver(t)]
  await ana.hook(ofAna.url, { events: ['messages', 'messages_update'] })
  const ben = await world.paired('15551800002', 'Ben')
  await ben.hook(ofBen.url)

  for (const node of [first, second]) {
    const traceId = randomBytes(16).toString('hex')
    const answer = await node.call<{ messageid: string }>('POST', '/send/text', {
      token: ana.token,
      body: { number: ben.number, text: 'Hello' },
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    })
    assert.equal(answer.status, 200)
    const mine = (request: Received): boolean => request.text.includes(answer.body.messageid)
    await eventually(() => ofAna.got.filter(mine).some(({ body }) => body.EventType === 'messages_update'))
    assert.ok(ofAna.got.filter(mine).some(({ body }) => body.EventType === 'messages'))
    const spans = ofAna.got.filter(mine).map(readTraceparent)
    for (const span of spans) assert.match(span, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
    assert.equal(new Set(spans).size, spans.length)
    assert.ok(!spans.some((span) => span.includes('b7ad6b7169203331')))
  }

  // An unrequested event has a trace by its name.
  await eventually(() => ofBen.of('messages').length === 2)
  for (const request of ofBen.of('messages')) {
    const { eventId } = request.body
    assert.match(readTraceparent(request), new RegExp(`^00-${eventId.replaceAll('-', '')}-[0-9a-f]{16}-00$`))
  }
})

function readTraceparent({ headers }: Received): string {
  return String(headers.traceparent)
}

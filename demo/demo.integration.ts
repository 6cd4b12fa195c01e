import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runDemo } from '../test/support/demo.js'

describe('the demo runs to its end, every step of it', () => {
  it('with one gateway', async () => {
    const { code, output, why } = await runDemo('--exit')
    assert.equal(code, 0, why)
    assert.match(output, /Done: \d+ signed webhooks received\./)
    assertDashboardFirst(output)
  })

  it('with an inbox of Chatwoot that goes away and comes back', async () => {
    const { code, output, why } = await runDemo('--exit', '--chatwoot')
    assert.equal(code, 0, why)
    assert.match(output, /Done: 4 messages in 1 conversation of Chatwoot, none twice\./)
    assertDashboardFirst(output)
  })

  it('with an agent, its knowledge and a function', async () => {
    const { code, output, why } = await runDemo('--exit', '--agent')
    assert.equal(code, 0, why)
    assert.match(output, /agent Your order 1042 is on its way/)
    assert.match(output, /Done: the agent gave 2 answers with 4 calls of the model and 1 of the function\./)
    assertDashboardFirst(output)
  })
})

it('lists its options and exits with 1 for an unknown option', async () => {
  const { code, output } = await runDemo('--nodes', 'one')
  assert.equal(code, 1)
  assert.match(output, /The demo failed: --nodes takes a whole number from 2 on/)
})

/** Fails unless the link to the dashboard is the first line after the title and the line that asks for patience. */
function assertDashboardFirst(output: string): void {
  const [title, patience, first] = output.split('\n').filter((line) => line.trim() !== '')
  assert.match(title ?? '', /^Posthorn: /)
  assert.match(patience ?? '', /^ +Starting /)
  assert.match(first ?? '', /^ +Dashboard: http:\/\/127\.0\.0\.1:\d+\/dashboard\/#welcome=/)
}

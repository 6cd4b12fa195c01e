import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeWaits, within } from './waits.js'

describe('a wait of a test', () => {
  it('passes on what the work gives, and its error', async () => {
    assert.equal(await within('The work', Promise.resolve(1)), 1)
    await assert.rejects(within('The work', Promise.reject(new Error('because'))), /because/)
    assert.equal(describeWaits(), '')
  })

  it('is named while it lasts and when it is too long, with the last output of the process', async () => {
    const never = new Promise(() => {})
    const waiting = within('The start of a gateway', never, { withinMs: 50, output: () => 'It waits for Redis.' })
    assert.match(
      describeWaits(),
      /^waits for [\d.]+ s: The start of a gateway Its last output:\nIt waits for Redis\.\n$/,
    )
    await assert.rejects(waiting, {
      message: 'The start of a gateway took longer than 0.05 s. Its last output:\nIt waits for Redis.',
    })
    assert.equal(describeWaits(), '')
  })
})

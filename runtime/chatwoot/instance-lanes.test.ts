import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { InstanceId } from '../../schemas/ids.js'
import { createInstanceLanes } from './instance-lanes.js'

const ANA = 'ana' as InstanceId
const BEN = 'ben' as InstanceId

describe('lanes of instances', () => {
  it('wait while others of their instance run, and leave those of other instances alone', () => {
    const lanes = createInstanceLanes(2)
    assert.deepEqual(
      ['a1', 'a2', 'a3', 'a4'].map((lane) => lanes.enter(ANA, lane)),
      [true, true, false, false],
    )
    assert.equal(lanes.enter(BEN, 'b1'), true)
    assert.equal(lanes.leave(ANA), 'a3')
    assert.equal(lanes.enter(ANA, 'a3'), true)
    assert.equal(lanes.leave(ANA), 'a4')
    assert.equal(lanes.leave(ANA), undefined)
    assert.equal(lanes.leave(BEN), undefined)
  })

  it('wait once, however often they are woken', () => {
    const lanes = createInstanceLanes(1)
    lanes.enter(ANA, 'a1')
    lanes.enter(ANA, 'a2')
    lanes.enter(ANA, 'a2')
    assert.equal(lanes.leave(ANA), 'a2')
    assert.equal(lanes.enter(ANA, 'a2'), true)
    assert.equal(lanes.leave(ANA), undefined)
  })
})

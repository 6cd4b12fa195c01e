import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PlanMember, plan } from './plan.js'

const SHARDS = 256

describe('the plan', () => {
  it('gives everything to the only node', () => {
    assert.deepEqual(new Set(plan(nobody(), open(1))), new Set(['n00']))
  })

  it('changes nothing when nobody has two more than another', () => {
    const planned = plan(nobody(), open(7))
    assert.deepEqual(plan(planned, open(7)), planned)
  })

  it('does not depend on the order of the members', () => {
    const members = open(7)
    const start = plan(nobody(), open(5))
    assert.deepEqual(plan(start, members), plan(start, members.toReversed()))
  })

  for (const [nodes, shards] of [
    [3, SHARDS],
    [10, SHARDS],
    [40, SHARDS],
    [50, SHARDS],
    [50, 4_096],
  ] as const) {
    it(`moves no more than needed when a node joins ${nodes} or leaves them, of ${shards} shards`, () => {
      const before = plan(nobody(shards), open(nodes))
      const joined = plan(before, open(nodes + 1))
      assert.equal(moves(before, joined), Math.floor(shards / (nodes + 1)))
      assertEven(joined, nodes + 1)

      const left = plan(joined, open(nodes))
      assert.equal(moves(joined, left), joined.filter((name) => name === open(nodes + 1).at(-1)!.name).length)
      assertEven(left, nodes)
    })
  }

  it('stays even and minimal through a hundred joins and leaves', () => {
    let random = 7
    let current = plan(nobody(), open(10))
    let members = open(10)
    for (let step = 0; step < 100; step++) {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0
      const name = `n${String(random % 50).padStart(2, '0')}`
      const isMember = members.some((member) => member.name === name)
      if (isMember && members.length === 1) continue
      members = isMember ? members.filter((member) => member.name !== name) : [...members, { name, kind: 'open' }]
      const next = plan(current, members)
      assertEven(next, members.length)
      const gone = current.filter((owner) => !members.some((member) => member.name === owner)).length
      const given = isMember ? gone : next.filter((owner) => owner === name).length
      assert.equal(moves(current, next), given, `step ${step}`)
      current = next
    }
  })

  it('spreads the shards of a dead node over all others', () => {
    const before = plan(nobody(), open(4))
    const after = plan(before, open(3))
    const gained = new Map<string | null, number>()
    for (const [shard, name] of after.entries())
      if (before[shard] !== name) gained.set(name, (gained.get(name) ?? 0) + 1)
    assert.deepEqual([...gained.values()].sort(), [21, 21, 22])
  })

  it('empties a draining node and gives it nothing', () => {
    const before = plan(nobody(), open(3))
    const after = plan(before, [...open(2), { name: 'n02', kind: 'empties' }])
    assert.ok(!after.includes('n02'))
    assertEven(after, 2)
  })

  it('gives nothing to a node that keeps, and takes nothing from it', () => {
    const before = plan(nobody(), open(3))
    const withDead = before.map((name) => (name === 'n00' ? null : name))
    const after = plan(withDead, [
      { name: 'n01', kind: 'keeps' },
      { name: 'n02', kind: 'open' },
    ])
    assert.deepEqual(
      after.map((name, shard) => name === 'n01' && before[shard] === 'n01'),
      before.map((name) => name === 'n01'),
    )
    assert.ok(!after.includes(null))
  })

  it('leaves a shard without an owner when nobody may have it', () => {
    assert.deepEqual(plan([null, 'n00'], [{ name: 'n00', kind: 'empties' }]), [null, 'n00'])
  })
})

function nobody(shards = SHARDS): readonly null[] {
  return Array.from({ length: shards }, () => null)
}

function open(nodes: number): readonly PlanMember[] {
  return Array.from({ length: nodes }, (_, index) => ({ name: `n${String(index).padStart(2, '0')}`, kind: 'open' }))
}

function moves(before: readonly (string | null)[], after: readonly (string | null)[]): number {
  return after.filter((name, shard) => name !== before[shard]).length
}

function assertEven(owners: readonly (string | null)[], nodes: number): void {
  const counts = new Map<string | null, number>()
  for (const name of owners) counts.set(name, (counts.get(name) ?? 0) + 1)
  assert.equal(counts.size, nodes)
  assert.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= 1)
}

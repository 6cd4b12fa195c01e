import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findLastMinute, findLongestStop, listHour, type NodeFigures } from './node-minutes.js'

function makeNode(id: string, minutes: readonly number[] | null): NodeFigures {
  const createMinute = (minute: number) => ({
    at: new Date(minute * 60_000).toISOString(),
    lagSeconds: minute,
    memoryBytes: 1,
    commitSeconds: 0,
    waitingBytes: 0,
  })
  return { id, incarnation: id, minutes: minutes === null ? null : minutes.map(createMinute) }
}

it('lays the minutes of all nodes over one hour, with gaps where a node did not run', () => {
  const [old, young, silent] = [makeNode('a', [930, 941, 998, 999]), makeNode('b', [1_000]), makeNode('c', null)]
  const last = findLastMinute([old, young, silent])
  assert.equal(last, 1_000)
  const shown = (node: NodeFigures) =>
    listHour(node, last).flatMap((minute, place) => (minute === null ? [] : [[place, minute.lagSeconds]]))
  assert.deepEqual(shown(old), [
    [0, 941],
    [57, 998],
    [58, 999],
  ])
  assert.deepEqual(shown(young), [[59, 1_000]])
  assert.deepEqual(shown(silent), [])
  assert.equal(listHour(silent, last).length, 60)
})

it('has an hour although no node tells of any minute', () => {
  const silent = makeNode('a', null)
  assert.equal(listHour(silent, findLastMinute([silent])).length, 60)
})

it('names the longest stop of the event loop of the hour, with its cause', () => {
  const createStop = (seconds: number) => ({ seconds, kind: 'command', operation: 'send', instance: 'r1' })
  const { minutes, ...node } = makeNode('a', [998, 999, 1_000])
  const stops = [createStop(1.5), createStop(0.3), null]
  const told = {
    ...node,
    minutes: minutes?.map((minute, at) => ({ ...minute, longestStop: stops[at] ?? null })) ?? null,
  }
  assert.deepEqual([findLongestStop(told)?.longestStop, findLongestStop(told)?.at], [stops[0], minutes?.[0]?.at])
  assert.equal(findLongestStop(makeNode('former release', [999])), undefined)
})

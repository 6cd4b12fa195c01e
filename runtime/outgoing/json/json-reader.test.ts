import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createJsonReader } from './json-reader.js'
import type { JsonUse } from './json-use.js'
import { readJson } from './read-json.js'

const use: JsonUse = {
  bytesMax: 4_000_000,
  valuesMax: 300_000,
  depthMax: 16,
  keep: { list: [{ id: true, at: { name: true } }], vector: 'vector', '[]': { id: true } },
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value))
const large = { list: Array.from({ length: 4_000 }, (_, id) => ({ id, at: { name: 'a', other: 'b'.repeat(100) } })) }

describe('a JSON answer', () => {
  it('has the parts that its use keeps', () => {
    const read = (value: unknown) => readJson(json(value), use)
    assert.deepEqual(
      read({ list: [{ id: 1, at: { name: 'a', other: 1 }, x: 2 }, { id: [] }, 5], vector: [1, 2], y: 1 }),
      {
        type: 'value',
        value: { list: [{ id: 1, at: { name: 'a' } }, { id: null }, 5], vector: new Float32Array([1, 2]) },
      },
    )
    assert.deepEqual(read([{ id: 1, x: 2 }]), { type: 'value', value: [{ id: 1 }] })
    assert.deepEqual(read({ vector: [1, 'a'] }), { type: 'value', value: { vector: null } })
    assert.deepEqual(readJson(Buffer.from(' '), use), { type: 'none', isEmpty: true })
    assert.deepEqual(readJson(Buffer.from('<html>'), use), { type: 'none', isEmpty: false })
  })

  it('is refused with a reason when it has more than its use needs', () => {
    const why = (bytes: Buffer, other: Partial<JsonUse> = {}) => {
      const answer = readJson(bytes, { ...use, ...other })
      return answer.type === 'refused' ? answer.why : answer.type
    }
    assert.equal(why(json([1, 2, 3]), { bytesMax: 6 }), 'is longer than 6 bytes')
    assert.equal(why(json([1, 2, 3]), { valuesMax: 2 }), 'has more than 2 values')
    assert.equal(why(json([[[]]]), { depthMax: 2 }), 'nests deeper than 2 levels')
    assert.equal(why(json({ list: Array(20_000).fill(0) })), 'has more than 20000 values')
    assert.equal(why(json({ list: ['a'.repeat(1_000_001)] })), 'has texts of more than 1000000 characters')
  })

  it('that is large is read in a thread, one after another, and in the turn of its owner', async (t) => {
    const reader = createJsonReader()
    t.after(() => reader.close())
    const order: string[] = []
    const read = async (owner: string) => {
      const answer = await reader.read(owner, json(large), use)
      order.push(owner)
      return answer
    }
    const answers = await Promise.all([...Array.from({ length: 6 }, () => read('busy')), read('other')])
    const { list } = (answers[6]?.type === 'value' ? answers[6].value : {}) as typeof large
    assert.deepEqual([list.length, list[3_999]], [4_000, { id: 3_999, at: { name: 'a' } }])
    assert.ok(order.indexOf('other') <= 1, order.join(' '))
  })

  it('that takes the thread too long is refused, and the next one is read', async (t) => {
    const reader = createJsonReader({ timeoutMs: 1 })
    t.after(() => reader.close())
    const many = Buffer.from(`[${'{"a":[1]},'.repeat(90_000)}0]`)
    assert.deepEqual(await reader.read('ana', many, use), {
      type: 'refused',
      why: 'takes too much time or memory to read',
    })
    assert.equal((await reader.read('ana', json({ list: [] }), use)).type, 'value')
  })

  it('that is large waits only behind some others of its owner', async (t) => {
    const reader = createJsonReader()
    t.after(() => reader.close())
    const answers = await Promise.all(Array.from({ length: 20 }, () => reader.read('ana', json(large), use)))
    assert.deepEqual(
      answers.map(({ type }) => type),
      [...Array<string>(17).fill('value'), ...Array<string>(3).fill('refused')],
    )
  })
})

import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { loadSchemas } from '../schemas/schema-registry.js'
import { suiteCleanup } from '../test/support/cleanup.js'
import { adminToken, type FakeNode, startFakeNode } from '../test/support/fake-node.js'
import { goodBody, type WrongBody, wrongBodies, wrongQueries } from '../test/support/wrong-fields.js'
import { newNotes } from './input/fold.js'
import { createValidation } from './input/validation.js'
import type { Route } from './route.js'
import { routes } from './routes.js'

const registry = loadSchemas()
const validation = createValidation(registry)
const part = ({ schema }: Route, name: 'request' | 'query') =>
  schema === undefined ? undefined : registry.part(schema, name)

/** Every field that is wrong, alone, is refused by name; nothing is asked of any part of the node. */
async function assertRefusesAll(node: FakeNode, route: Route, all: readonly WrongBody[], isQuery: boolean) {
  const headers: Record<string, string> = route.auth === 'admin' ? { admintoken: adminToken } : {}
  const path = route.path.replace(/:\w+/g, 'x')
  node.touched.length = 0
  for (const { field, why, body } of all) {
    const query = new URLSearchParams(
      Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const answer = isQuery
      ? await node.call(`${path}?${query}`, { method: route.method, headers })
      : await node.call(path, { json: body, headers })
    const what = `${route.method} ${path} ${field} ${why}: ${JSON.stringify(body).slice(0, 200)} → ${JSON.stringify(answer.body)}`
    assert.deepEqual([answer.status, answer.body.code], [400, 'INVALID_REQUEST'], what.slice(0, 1_000))
    // Reads as a sentence: the field, and what it must be.
    if (route.refusalText === undefined)
      assert.ok(String(answer.body.error).startsWith(`Invalid request: ${field} `), what.slice(0, 1_000))
    else assert.equal(answer.body.error, route.refusalText)
    assert.ok(
      (answer.body.details as { field: string }[]).some((one) => one.field === field),
      what.slice(0, 1_000),
    )
  }
  assert.deepEqual(node.touched, [])
}

describe('a field that is wrong', () => {
  let node: FakeNode
  const cleanup = suiteCleanup()
  // Some texts may be longer than a body.
  before(async () => {
    node = await startFakeNode(cleanup, { bodyBytesMax: 64 * 2 ** 20 })
  })

  for (const route of routes) {
    const request = route.method === 'POST' ? part(route, 'request') : undefined
    const query = part(route, 'query')
    const { name } = route
    if (request !== undefined)
      it(`in the body of ${name} is refused by name, and nothing is done`, async () => {
        const good = goodBody(request, registry)
        assert.doesNotThrow(() => validation.body(String(route.schema), good, newNotes()))
        await assertRefusesAll(node, route, wrongBodies(request, registry), false)
      })
    if (query !== undefined)
      it(`in the query of ${name} is refused by name, and nothing is done`, async () => {
        await assertRefusesAll(node, route, wrongQueries(query, registry), true)
      })
  }

  it('is looked for in every operation that takes one', () => {
    const without = routes.filter((route) => route.method === 'POST' && part(route, 'request') === undefined)
    // Takes nothing but what stands in its path.
    assert.deepEqual(
      without.map(({ name }) => name),
      ['drainNode'],
    )
  })
})

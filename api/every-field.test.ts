import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { GatewayError } from '../schemas/errors.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { suiteCleanup } from '../test/support/cleanup.js'
import { adminToken, type FakeNode, startFakeNode } from '../test/support/fake-node.js'
import { goodBody, type WrongBody, wrongBodies, wrongQueries } from '../test/support/wrong-fields.js'
import { newNotes } from './input/fold.js'
import { createValidation } from './input/validation.js'
import { hasMethodWithBody, type Route } from './route.js'
import { routes } from './routes.js'

/** Length of the longest body that the API gets. */
const SENT_MAX = 1_000_000
const registry = loadSchemas()
const validation = createValidation(registry)
const part = ({ schema }: Route, name: 'request' | 'query') =>
  schema === undefined ? undefined : registry.part(schema, name)

/**
 * Checks that the validation refuses each of them by the name of its field, and that the API answers so: nothing is asked of any part of the node.
 * The API gets one of each kind, and no long ones, since a call costs a hundred times what the validation does.
 */
async function assertRefusesAll(node: FakeNode, route: Route, all: readonly WrongBody[], isQuery: boolean) {
  const kinds = new Map<string, WrongBody>()
  for (const wrong of all) {
    const { field, why, body } = wrong
    const text = JSON.stringify(body)
    if (text.length <= SENT_MAX) kinds.set(why, wrong)
    const what = () => `${route.name} ${field} ${why}: ${text.slice(0, 200)}`
    const error = readRefusal(route, isQuery ? body : (JSON.parse(text) as WrongBody['body']), isQuery)
    if (!(error instanceof GatewayError)) assert.fail(`${what()} is taken: ${String(error)}`)
    assertNames({ status: error.status, code: error.code, error: error.message, details: error.details }, field, what)
  }
  const headers: Record<string, string> = route.auth === 'admin' ? { admintoken: adminToken } : {}
  const path = route.path.replace(/:\w+/g, 'x')
  node.touched.length = 0
  for (const { field, why, body } of kinds.values()) {
    const answer = isQuery
      ? await node.call(`${path}?${new URLSearchParams(collectTexts(body))}`, { method: route.method, headers })
      : await node.call(path, { method: route.method, json: body, headers })
    const told = { status: answer.status, ...(answer.body as Pick<Refusal, 'code' | 'error' | 'details'>) }
    const what = () => `${route.method} ${path} ${field} ${why} → ${JSON.stringify(answer.body)}`
    assertNames(told, field, what, route.refusalText)
  }
  assert.deepEqual(node.touched, [])
}

interface Refusal {
  readonly status: number
  readonly code: string
  readonly error: string
  readonly details: unknown
}

/** Checks that a refusal reads as a sentence: the field, and what it must be. `what` is asked on failure only: some bodies are long. */
function assertNames({ status, code, error, details }: Refusal, field: string, what: () => string, text?: string) {
  const isSentence = text === undefined ? error.startsWith(`Invalid request: ${field} `) : error === text
  const names = Array.isArray(details) ? (details as readonly { field: string }[]).map((one) => one.field) : []
  if (status === 400 && code === 'INVALID_REQUEST' && isSentence && names.includes(field)) return
  assert.fail(`${what()} → ${status} ${code} ${error} ${names.join()}`.slice(0, 1_000))
}

/** Returns what the validation throws. */
function readRefusal(route: Route, body: WrongBody['body'], isQuery: boolean): unknown {
  const file = String(route.schema)
  try {
    if (isQuery) return validation.query(file, collectTexts(body), newNotes())
    return validation.body(file, body, newNotes())
  } catch (error) {
    return error
  }
}

function collectTexts(body: WrongBody['body']): Record<string, string> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

describe('a field that is wrong', () => {
  let node: FakeNode
  const cleanup = suiteCleanup()
  before(async () => {
    node = await startFakeNode(cleanup, { bodyBytesMax: 2 * SENT_MAX })
  })

  for (const route of routes) {
    const request = hasMethodWithBody(route) ? part(route, 'request') : undefined
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
    const without = routes.filter((route) => hasMethodWithBody(route) && part(route, 'request') === undefined)
    // One takes nothing but what stands in its path, the other bodies that Chatwoot makes.
    assert.deepEqual(
      without.map(({ name }) => name),
      ['drainNode', 'receiveChatwoot'],
    )
  })
})

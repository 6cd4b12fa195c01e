/** The nodes for n8n: descriptions as n8n reads them, and calls of a real gateway. `n8n.long.ts` has n8n itself. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { routes } from '../../api/routes.js'
import { loadSchemas } from '../../schemas/schema-registry.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import {
  buildNodes,
  type Credential,
  createContext,
  createRequest,
  evaluate,
  type Json,
  type Node,
} from '../support/n8n.js'

const ANA = '15550730001'
const BEN = '15550730002'
const EVE = '15550730003'

interface Delivered {
  readonly raw: Buffer
  readonly headers: Json
}
type Answer = Awaited<ReturnType<Node['webhook']>> & { readonly status: number }

describe('the nodes for n8n', () => {
  let load: Awaited<ReturnType<typeof buildNodes>>
  /** Takes a delivery at the address of n8n; what it answers goes back to the gateway. */
  let take: (query: Json, delivered: Delivered) => Promise<Answer>
  let address = ''
  const deliveries: Delivered[] = []
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    phones: { [ANA]: 'Ana', [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    complete: async () => {
      load = await buildNodes(cleanup)
      const server = createServer(async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const delivered = { raw: Buffer.concat(chunks), headers: request.headers as Json }
        deliveries.push(delivered)
        const { searchParams } = new URL(request.url ?? '', 'http://n8n')
        response.statusCode = (await take(Object.fromEntries(searchParams), delivered)).status
        response.end()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      cleanup.after(() => void server.close())
      address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    },
  })
  const credentials = () => ({ url: `${world.gateway.url}/`, token: ana.token })
  const webhooks = async () => (await ana.call<Json[]>('GET', '/webhook')).body

  /** Runs `webhook` of a node for a delivery. */
  async function receive(node: Node, { raw, headers }: Delivered, parts: Json): Promise<Answer> {
    let status = 200
    const response = {
      status(code: number) {
        status = code
        return { json() {} }
      },
    }
    const request = { headers, rawBody: raw }
    const more = { getRequestObject: () => request, getResponseObject: () => response }
    return { ...(await node.webhook.call(createContext(credentials(), { ...more, ...parts }))), status }
  }

  it('have credentials that are tested by the gateway', async () => {
    const { test, authenticate } = load<Credential>('credentials/PosthornApi.credentials.js', 'PosthornApi')
    const tried = async ($credentials: Json) => {
      const url = String(evaluate(test.request.baseURL, { $credentials })) + test.request.url
      const token = String(evaluate(String(authenticate.properties.headers.token), { $credentials }))
      return (await fetch(url, { headers: { token } })).status
    }
    assert.deepEqual([await tried(credentials()), await tried({ ...credentials(), token: 'wrong' })], [200, 401])
  })

  it('make of the fields of each operation the call that its example shows', () => {
    const node = load<Node>('nodes/Posthorn/Posthorn.node.js', 'Posthorn')
    const registry = loadSchemas()
    let seen = 0
    for (const { name, area, path, method, schema } of routes) {
      const request =
        schema === undefined || (method !== 'POST' && method !== 'PUT')
          ? undefined
          : registry.part(schema, 'request')?.schema
      const [example = {}] = (request?.examples ?? []) as Json[]
      const shown = node.description.properties.filter(({ displayOptions }) =>
        displayOptions?.show.operation?.includes(name),
      )
      const isThere = node.description.properties.some(
        ({ name: field, options }) => field === 'operation' && options?.some(({ value }) => value === name),
      )
      if (!isThere) continue
      seen += 1
      const top = new Set(shown.map((property) => property.name))
      const fields = Object.entries(example).map(([field, value]): [string, unknown] => [
        field,
        typeof value === 'object' ? JSON.stringify(value) : value,
      ])
      const parts = [...path.matchAll(/:(\w+)/g)].map(([, part = '']): [string, unknown] => [part, 'a/b'])
      const parameters: Json = {
        ...{ resource: area, operation: name },
        ...Object.fromEntries([...parts, ...fields.filter(([field]) => top.has(field))]),
        additionalFields: Object.fromEntries(fields.filter(([field]) => !top.has(field))),
      }
      const made = createRequest(node, parameters, { url: 'http://gateway/' })
      assert.equal(made.method, method, name)
      assert.equal(made.url, `http://gateway${path.replace(/:\w+/g, 'a%2Fb')}`, name)
      assert.deepEqual(made.body, example, name)
    }
    assert.ok(seen > 90, String(seen))
  })

  it('call the gateway, and repeat a send under its key without a second message', async () => {
    const node = load<Node>('nodes/Posthorn/Posthorn.node.js', 'Posthorn')
    const call = async (parameters: Json) => {
      const { method, url, query, headers, body } = createRequest(node, parameters, credentials())
      const search = new URLSearchParams(query as Record<string, string>).toString()
      const answer = await fetch(`${url}${search === '' ? '' : `?${search}`}`, {
        method,
        headers: { token: ana.token, 'content-type': 'application/json', ...(headers as object) },
        ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
      })
      return { status: answer.status, body: (await answer.json()) as Json }
    }
    const send = { resource: 'Send', operation: 'sendText', number: BEN, text: 'Hello' }
    const keyed = { ...send, additionalFields: { 'Idempotency-Key': 'n8n-1', track_id: 'order 7' } }
    const [once, twice] = [await call(keyed), await call(keyed)]
    assert.deepEqual([once.status, twice.body.messageid, once.body.warnings], [200, once.body.messageid, undefined])
    const menu = {
      resource: 'Send',
      operation: 'sendMenu',
      number: BEN,
      type: 'poll',
      text: 'Today?',
      choices: '["Yes","No"]',
    }
    const asked = await call({ ...menu, additionalFields: { selectableCount: 1 } })
    await world.shownAt(BEN, asked.body.messageid)
    const found = await call({
      resource: 'Message',
      operation: 'findMessages',
      additionalFields: { track_id: 'order 7' },
    })
    assert.equal(found.body.returnedMessages, 1)
    const listed = await call({ resource: 'Message', operation: 'listScheduled', additionalFields: { limit: 5 } })
    assert.deepEqual([listed.status, listed.body.hasMore], [200, false])
    const gone = await call({ resource: 'Instance', operation: 'deleteKey', id: 'none' })
    assert.deepEqual([gone.status, gone.body.code], [404, 'KEY_NOT_FOUND'])
  })

  it('start a workflow for each event once, if it is signed, and take their webhook away', async () => {
    const node = load<Node>('nodes/PosthornTrigger/PosthornTrigger.node.js', 'PosthornTrigger')
    const kept: Json = {}
    const parameters: Json = { events: ['messages'], excludeMessages: ['wasSentByApi'] }
    const parts = { getWorkflowStaticData: () => kept }
    const hooks = createContext(credentials(), {
      ...parts,
      getNodeParameter: (name: string) => parameters[name],
      getNodeWebhookUrl: () => `${address}/webhook/1`,
    })
    const started: Json[] = []
    take = async (_query, delivered) => {
      const answer = await receive(node, delivered, parts)
      started.push(...(answer.workflowData ?? []).flat().map(({ json }) => json))
      return answer
    }
    const { checkExists, create, delete: remove } = node.webhookMethods.default
    assert.equal(await checkExists.call(hooks), false)
    assert.equal(await create.call(hooks), true)
    assert.equal(await checkExists.call(hooks), true)
    await ana.text(BEN, 'sent by the API')
    const id = await world.write(BEN, ANA, 'good morning')
    const event = await eventually(() => started.find(({ message }) => (message as Json).messageid === id))
    assert.equal(event?.EventType, 'messages')
    assert.equal(started.length, 1)
    const [first] = deliveries as [Delivered]
    assert.equal((await receive(node, first, parts)).workflowData, undefined, 'a double')
    kept.seen = []
    const forged = { ...first, raw: Buffer.from(first.raw.toString().replace('good morning', 'evil morning')) }
    const old = { ...first, headers: { ...first.headers, 'webhook-timestamp': '1700000000' } }
    const bare = { ...first, headers: {} }
    for (const wrong of [forged, old, bare]) {
      const { status, workflowData } = await receive(node, wrong, parts)
      assert.deepEqual([status, workflowData], [401, undefined])
    }
    assert.equal((await receive(node, first, parts)).workflowData?.length, 1)
    assert.equal(await remove.call(hooks), true)
    assert.deepEqual([await webhooks(), kept], [[], {}])
    assert.equal(await remove.call(hooks), true, 'of a webhook that is gone')
  })

  it('send a question and wait for the answer of that chat only', async () => {
    const node = load<Node>('nodes/PosthornSendAndWait/PosthornSendAndWait.node.js', 'PosthornSendAndWait')
    const ended = `${address}/waiting/0?posthornWait=00.1700000000`
    await ana.call('POST', '/webhook', { action: 'add', url: ended, events: ['messages'], enabled: true })
    const parameters: Json = { number: BEN, text: 'Shall we deliver today?', choices: ['Yes', 'No'], minutes: 5 }
    let until: Date | undefined
    const items = [{ json: { order: 7 } }]
    const context = createContext(credentials(), {
      getInputData: () => items,
      getNodeParameter: (name: string) => parameters[name],
      evaluateExpression: () => `${address}/waiting/1`,
      async putExecutionToWait(time: Date) {
        until = time
      },
    })
    const resumed: Json[] = []
    const told: string[] = []
    take = async (query, delivered) => {
      const answer = await receive(node, delivered, { getQueryData: () => query })
      resumed.push(...(answer.workflowData ?? []).flat().map(({ json }) => json))
      told.push(String(answer.webhookResponse ?? answer.status))
      return answer
    }
    assert.deepEqual(await node.execute.call(context), [items])
    assert.ok(until !== undefined && Math.abs(until.getTime() - Date.now() - 300_000) < 60_000)
    const [own, ...others] = await webhooks()
    assert.ok(String(own?.url).includes('/waiting/1?posthornWait='))
    assert.deepEqual(others, [], 'the webhook of a wait that has ended is gone')
    await world.write(EVE, ANA, 'Yes, me too')
    await eventually(() => told.includes('not the answer'))
    assert.equal(resumed.length, 0)
    const answer = await world.write(BEN, ANA, 'Yes')
    const event = await eventually(() => resumed.at(0))
    assert.equal((event as { message: Json }).message.messageid, answer)
    assert.deepEqual(await webhooks(), [])
  })

  it('send a question once, although n8n runs the node again after a failure', async () => {
    const node = load<Node>('nodes/PosthornSendAndWait/PosthornSendAndWait.node.js', 'PosthornSendAndWait')
    const parameters: Json = { number: EVE, text: 'Once?', choices: [], minutes: 5 }
    const expressions: Json = { '{{ $execution.resumeUrl }}': `${address}/waiting/3`, '{{ $runIndex }}': 0 }
    let failures = 1
    const context = createContext(credentials(), {
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name: string, _item: number, fallback: unknown) => parameters[name] ?? fallback,
      evaluateExpression: (expression: string) => expressions[expression],
      async putExecutionToWait() {
        failures -= 1
        if (failures >= 0) throw new Error('n8n is in trouble')
      },
    })
    /** Of a chat the texts arrive in their order, so what was asked before is there. */
    const questions = async () => {
      await world.shownAt(EVE, (await ana.text(EVE, 'a mark')).messageid)
      return (await world.network<Json[]>('GET', `/phones/${EVE}/messages?text=Once%3F`)).length
    }
    await assert.rejects(node.execute.call(context), /in trouble/)
    assert.deepEqual(await webhooks(), [])
    await node.execute.call(context)
    assert.equal((await webhooks()).length, 1)
    assert.equal(await questions(), 1)
    // The next round of a loop asks again.
    expressions['{{ $runIndex }}'] = 1
    await node.execute.call(context)
    assert.equal(await questions(), 2)
    await ana.unhook()
  })

  it('leave no webhook behind when the question cannot be sent', async () => {
    const node = load<Node>('nodes/PosthornSendAndWait/PosthornSendAndWait.node.js', 'PosthornSendAndWait')
    const parameters: Json = { number: 'nobody', text: 'x', choices: [], minutes: 5 }
    const context = createContext(credentials(), {
      getInputData: () => [{ json: {} }],
      getNodeParameter: (name: string) => parameters[name],
      evaluateExpression: () => `${address}/waiting/2`,
    })
    await assert.rejects(node.execute.call(context), /INVALID_NUMBER/)
    assert.deepEqual(await webhooks(), [])
  })
})

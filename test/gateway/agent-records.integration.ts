import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'
import { startProviders } from '../../sandbox/providers/index.js'
import { functionLimit, knowledgeLimit } from '../../schemas/record-limits.js'
import { eventually } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { smallPdf } from '../support/small-pdf.js'
import { connectDatabase } from '../support/statements.js'
import type { TestInstance } from '../support/world.js'

type Json = Record<string, unknown>

const MODELS = {
  openai: 'gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-flash',
  deepseek: 'deepseek-v4-flash',
  custom: 'qwen3:8b',
} as const

describe('records of agents', () => {
  let one: TestInstance
  let another: TestInstance
  const { world } = gatewaySuite({
    complete: async () => {
      one = await world.instance('one')
      another = await world.instance('another')
    },
  })

  const edit = (body: Json, path = '/function/edit', instance = one) => instance.call<Json>('POST', path, body)
  const done = async (body: Json, path?: string) => {
    const answer = await edit(body, path)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const list = async (path: string, instance = one) => (await instance.call<Json[]>('GET', path)).body
  const order = {
    name: 'find_order',
    description: 'Finds an order',
    method: 'POST',
    endpoint: 'https://api.example/orders/{{order}}?limit={{limit}}',
    isActive: true,
    headers: { authorization: 'Bearer {{key}}' },
    body: { note: '{{order}}' },
    parameters: [
      { name: 'order', type: 'string', required: true },
      { name: 'limit', type: 'integer', minimum: 1, maximum: 10 },
      { name: 'key', type: 'string', enum: 'a,b' },
    ],
  }

  it('include functions, which are created, changed in part, listed and deleted', async () => {
    const made = await done({ function: order })
    const { id, created, updated, ...fields } = made
    assert.match(String(id), /^r[0-9a-f]{16}$/)
    assert.match(String(created), /^20\d\d-.*Z$/)
    assert.deepEqual(fields, {
      name: 'find_order',
      description: 'Finds an order',
      method: 'POST',
      endpoint: order.endpoint,
      active: true,
      headers: '{"authorization":"***{{key}}"}',
      body: JSON.stringify(order.body),
      parameters: order.parameters,
      undocumentedParameters: '',
      header_error: false,
      body_error: false,
      retrySafe: false,
      owner: '',
    })
    const changed = await done({ id, function: { description: 'Finds it', isActive: false, retrySafe: true } })
    assert.deepEqual([changed.description, changed.active, changed.method, changed.id], ['Finds it', false, 'POST', id])
    assert.equal((await done({ id, function: {} })).retrySafe, true)
    const minimal = await done({ function: { name: 'ping', method: 'GET', endpoint: 'https://api.example/ping' } })
    assert.equal(minimal.active, false)
    assert.deepEqual(
      (await list('/function/list')).map(({ name }) => name),
      ['find_order', 'ping'],
    )
    assert.deepEqual(await list('/function/list', another), [])
    // Its name is its own, in this instance.
    const taken = await edit({ id: minimal.id, function: { name: 'find_order' } })
    assert.deepEqual([taken.status, taken.body.code], [409, 'NAME_TAKEN'])
    await another.call('POST', '/function/edit', { function: order })
    assert.equal((await list('/function/list', another)).length, 1)
    assert.equal((await done({ id, delete: true })).id, id)
    assert.deepEqual(
      (await list('/function/list')).map(({ name }) => name),
      ['ping'],
    )
    assert.equal((await edit({ id, function: { description: 'gone' } })).status, 404)
    await done({ id: minimal.id, delete: true })
  })

  it('keep the values of headers to themselves, also when the address of the function changes', async (t) => {
    const secret = 'Bearer key-of-the-shop'
    const endpoint = 'https://api.example/orders/{{order}}'
    const given = { ...order, name: 'sealed', endpoint, headers: { authorization: secret, 'x-kept': 'also-secret' } }
    const { id } = await done({ function: { ...given, parameters: [order.parameters[0]] } })
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const stored = async () =>
      JSON.stringify((await database.query('SELECT * FROM agent_function WHERE id = $1', [id])).rows[0])
    const before = await stored()
    assert.ok(!before.includes('key-of-the-shop'), before)
    const [listed] = await list('/function/list')
    assert.equal(listed?.headers, '{"authorization":"***","x-kept":"***"}')
    // What an answer shows is taken back, and leaves the stored values.
    const sentBack = { endpoint: 'https://api.example/other', headers: listed?.headers }
    assert.equal((await done({ id, function: sentBack })).headers, listed?.headers)
    assert.equal(
      (await done({ id, function: { headers: { authorization: '***' } } })).headers,
      '{"authorization":"***"}',
    )
    for (const change of [
      { endpoint: 'https://evil.example/orders' },
      { endpoint: 'http://api.example/orders' },
      { endpoint: 'https://api.example:444/orders' },
      { endpoint: 'https://evil.example/orders', headers: { authorization: '***' } },
      { headers: { 'x-other': '***' } },
      { headers: '***' },
    ]) {
      const { status, body } = await edit({ id, function: change })
      assert.deepEqual(
        [status, (body.details as Json[])[0]?.field],
        [400, 'function.headers'],
        `${JSON.stringify(change)} ${JSON.stringify(body)}`,
      )
    }
    const moved = { endpoint: 'https://other.example/orders', headers: { authorization: 'Bearer key-of-another' } }
    assert.equal((await done({ id, function: moved })).headers, '{"authorization":"***"}')
    assert.equal((await done({ id, function: { endpoint, headers: '' } })).headers, '')
    await done({ id, delete: true })
  })

  it('are called as a model would, with its arguments checked and the facts of the gateway in their place', async (t) => {
    const got: string[] = []
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const { authorization, 'idempotency-key': key } = request.headers
      got.push(`${request.method} ${request.url} ${authorization} ${typeof key} ${body}`)
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ authorization }))
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { id } = await done({
      function: {
        ...order,
        isActive: false,
        endpoint: `http://127.0.0.1:${port}/orders/{{order}}?limit={{limit}}&phone={{chat.phone}}&of={{instance.name}}`,
        headers: { authorization: 'Bearer key-of-the-shop' },
      },
    })
    const run = (body: Json) => done({ id, ...body }, '/function/test')
    const placeholders = { 'chat.phone': '5511999990001' }
    const answer = await run({ arguments: { order: 'A/1', limit: '3' }, placeholders })
    assert.deepEqual(
      [answer.text, answer.isError, answer.status, answer.endpoint],
      ['{"authorization":"Bearer ***"}', false, 200, `POST 127.0.0.1:${port}`],
    )
    const url = '/orders/A%2F1?limit=3&phone=5511999990001&of=one'
    assert.deepEqual(got, [`POST ${url} Bearer key-of-the-shop string {"note":"A/1"}`])
    for (const [body, words] of [
      [{ arguments: { order: 'A', limit: 11 }, placeholders }, '"limit" must be at most 10'],
      [{ arguments: '{"order":', placeholders }, 'not one valid JSON object'],
      [{ arguments: { order: '..' }, placeholders }, 'another address'],
      [{ arguments: { order: 'A' } }, 'needs chat.phone'],
    ] as const) {
      const refused = await run(body)
      assert.ok(refused.isError === true && String(refused.text).includes(words), JSON.stringify(refused))
    }
    assert.equal(got.length, 1)
    const strange = await edit({ id, placeholders: { 'chat.password': 'x' } }, '/function/test')
    assert.deepEqual([strange.status, (strange.body.details as Json[])[0]?.field], [400, 'placeholders'])
    await done({ id, function: { body: '{' } })
    const broken = await edit({ id, arguments: { order: 'A' } }, '/function/test')
    assert.deepEqual([broken.status, (broken.body.details as Json[])[0]?.field], [400, 'id'])
    assert.equal((await edit({ id }, '/function/test', another)).status, 404)
    await done({ id, delete: true })
  })

  it('are tools of an agent in a trial, with every provider, and nothing is called unless asked', async (t) => {
    const providers = await startProviders()
    t.after(() => providers.close())
    const shop = await world.instance('shop')
    let calls = 0
    const server = createServer((_, response) => {
      calls += 1
      response.setHeader('content-type', 'application/json').end('{"state":"sent"}')
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const endpoint = `http://127.0.0.1:${port}/{{order}}?limit={{limit}}&phone={{chat.phone}}`
    await edit({ function: { ...order, endpoint, headers: { key: 'secret-of-the-shop' } } }, '/function/edit', shop)
    const run = async (provider: keyof typeof MODELS, more: Json) => {
      const agent = { name: 'Ana', provider, model: MODELS[provider], apikey: `sk-${provider}-key-of-a-test` }
      const baseUrl = providers.baseUrl(provider)
      const { id } = (await edit({ agent: { ...agent, baseUrl } }, '/agent/edit', shop)).body
      providers.clear()
      providers.answer({ calls: [{ name: 'find_order', arguments: { order: 'A', limit: 11 } }] })
      providers.answer({ calls: [{ name: 'find_order', arguments: { order: 'A', limit: 3 } }] })
      providers.answer({ text: 'It was sent.' })
      const messages = [{ role: 'user', text: 'Where is order A?' }]
      const placeholders = { 'chat.phone': '5511999990001' }
      const { status, body } = await edit({ agent_id: id, messages, placeholders, ...more }, '/agent/test', shop)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([body.reply, body.error], ['It was sent.', ''], `${provider}: ${JSON.stringify(body)}`)
      assert.doesNotMatch(JSON.stringify(providers.calls.map((call) => call.body)), /secret-of-the-shop|5511999990001/)
      return (body.steps as { calls: Json[] }[]).flatMap((step) => step.calls)
    }
    for (const provider of Object.keys(MODELS) as (keyof typeof MODELS)[]) {
      const [wrong, right] = await run(provider, { runFunctions: true })
      assert.match(String(wrong?.result), /"limit" must be at most 10/)
      assert.deepEqual([right?.result, right?.status, right?.isError], ['{"state":"sent"}', 200, false], provider)
    }
    assert.equal(calls, 5)
    const [, dry] = await run('openai', {})
    assert.match(String(dry?.result), /the function was not called/)
    assert.equal(calls, 5)
    const unknown = await edit({ agent_id: 'r0', messages: [{ role: 'user', text: 'x' }] }, '/agent/test', shop)
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'AGENT_NOT_FOUND'])
    const last = await edit({ agent_id: 'r0', messages: [{ role: 'assistant', text: 'x' }] }, '/agent/test', shop)
    assert.deepEqual([last.status, (last.body.details as Json[])[0]?.field], [400, 'messages'])
  })

  it('are disabled when they break a rule, and give the reason', async () => {
    const { id } = await done({ function: order })
    const broken = async (change: Json) => {
      const record = await done({ id, function: { ...change, isActive: true } })
      assert.equal(record.active, false, JSON.stringify(change))
      assert.equal((await list('/function/list'))[0]?.active, false)
      assert.equal((await done({ id, function: order })).active, true)
      return record
    }
    const { undocumentedParameters } = await broken({ endpoint: 'https://api.example/{{Order}}/{{order}}/{{other}}' })
    assert.equal(undocumentedParameters, 'Order, other')
    assert.equal((await broken({ headers: '{"not": json}' })).header_error, true)
    assert.equal((await broken({ headers: { number: 1 } })).header_error, true)
    assert.equal((await broken({ body: '{' })).body_error, true)
    for (const [parameter, problem] of [
      [{ name: 'key', type: 'string' }, 'parameter key: the name is taken twice'],
      [{ name: 'x', type: 'date' }, 'parameter x: type must be one of string, number, integer, boolean'],
      [{ name: 'x', type: 'string', enum: 'a,,b' }, 'parameter x: enum has an empty value'],
      [{ name: 'x', type: 'integer', minimum: 2, maximum: 1 }, 'parameter x: minimum is above maximum'],
    ] as const)
      assert.deepEqual((await broken({ parameters: [...order.parameters, parameter] })).problems, [problem])
    // Switched off, it stays so until it is switched on again.
    await done({ id, function: { body: '{' } })
    const mended = await done({ id, function: { body: {} } })
    assert.deepEqual([mended.active, mended.body_error], [false, false])
    await done({ id, delete: true })
  })

  it('include knowledge, which is created, changed, listed by priority and deleted', async () => {
    const path = '/knowledge/edit'
    const low = await made(edit({ knowledge: { tittle: 'Hours', content: 'nine to five' } }, path))
    const high = await made(edit({ knowledge: { tittle: 'Prices', content: 'ten', priority: 5, active: false } }, path))
    assert.match(String(low.created), /^20\d\d-\d\d-\d\dT.*Z$/)
    assert.deepEqual([low.vectorStatus, low.isVectorized], ['pending', false])
    const { id, created, updated, ...fields } = high
    assert.deepEqual(fields, {
      active: false,
      tittle: 'Prices',
      content: 'ten',
      vectorStatus: '',
      isVectorized: false,
      lastVectorizedAt: 0,
      owner: '',
      priority: 5,
    })
    const entries = await list('/knowledge/list')
    assert.deepEqual(
      entries.map(({ tittle }) => tittle),
      ['Prices', 'Hours'],
    )
    const changed = await done({ id: low.id, knowledge: { content: 'ten to four', isActive: false } }, path)
    assert.deepEqual([changed.tittle, changed.content, changed.active], ['Hours', 'ten to four', false])
    assert.deepEqual(await list('/knowledge/list', another), [])
    await done({ id, delete: true }, path)
    assert.equal((await list('/knowledge/list')).length, 1)
    assert.equal((await edit({ id, knowledge: { content: 'gone' } }, path)).status, 404)
  })

  it('include knowledge of texts and files, which is read and found, and never by another instance', async () => {
    const path = '/knowledge/edit'
    const search = async (query: string, instance = one) =>
      (await instance.done<{ chunks: Json[] }>('/knowledge/search', { query })).chunks.map(({ text }) => text)
    const read = async (id: unknown) =>
      await eventually(
        async () => (await list('/knowledge/list')).find((entry) => entry.id === id) ?? {},
        ({ vectorStatus }) => vectorStatus === 'indexed' || vectorStatus === 'error',
      )
    const text = await made(edit({ knowledge: { tittle: 'Trocas', content: 'Devoluções em até 30 dias' } }, path))
    const file = smallPdf('The canary sings at noon', { content: paddedPdfContent('The canary sings at noon') })
    assert.ok(file.length > 8_192)
    const pdf = await made(edit({ knowledge: { tittle: 'Canary', content: file.toString('base64') } }, path))
    assert.equal(pdf.content, '')
    const csv = Buffer.from('product;price\nBread;3').toString('base64')
    const table = await made(edit({ fileType: 'csv', knowledge: { tittle: 'Prices', content: csv } }, path))
    const zebra = { tittle: 'Long', content: `A zebra. ${'It is long. '.repeat(2_000)}` }
    const long = await made(edit({ knowledge: zebra }, path))
    assert.equal((await read(text.id)).vectorStatus, 'indexed')
    assert.equal((await read(pdf.id)).content, 'The canary sings at noon')
    assert.equal((await read(table.id)).content, 'product: Bread\nprice: 3')
    assert.equal((await read(long.id)).vectorStatus, 'indexed')
    assert.deepEqual(await search('devolucao'), ['Devoluções em até 30 dias'])
    assert.deepEqual(await search('canary'), ['The canary sings at noon'])
    assert.match(String((await search('zebra'))[0]), /^A zebra/)
    assert.deepEqual(await search('canary', another), [])
    // Each edit is found, and nothing of before.
    await done({ id: text.id, knowledge: { content: 'Trocas em 7 dias' } }, path)
    await eventually(
      () => search('trocas'),
      ([first]) => first === 'Trocas em 7 dias',
    )
    assert.deepEqual(await search('devolucao'), [])
    await done({ id: pdf.id, knowledge: { active: false } }, path)
    assert.deepEqual(await search('canary'), [])
    const hidden = await made(edit({ knowledge: { tittle: 'Inside', content: 'http://127.0.0.1:1/' } }, path))
    const { vectorStatus, vectorError } = await read(hidden.id)
    assert.deepEqual([vectorStatus, typeof vectorError], ['error', 'string'])
    for (const { id } of [text, pdf, table, long, hidden]) await done({ id, delete: true }, path)
    assert.deepEqual(await search('trocas'), [])
  })

  it('are refused with the field if they are invalid, and then change nothing', async () => {
    const before = [await list('/function/list'), await list('/knowledge/list')]
    for (const [path, body, field] of [
      ['/function/edit', {}, 'function.name'],
      ['/function/edit', { delete: true }, 'id'],
      ['/function/edit', { function: { ...order, name: 'with space' } }, 'function.name'],
      ['/function/edit', { function: { ...order, method: 'HEAD' } }, 'function.method'],
      ['/function/edit', { function: { ...order, endpoint: '/orders' } }, 'function.endpoint'],
      ['/function/edit', { function: { ...order, endpoint: 'https://{{host}}/x' } }, 'function.endpoint'],
      ['/function/edit', { function: { ...order, endpoint: 'https://a:b@api.example/' } }, 'function.endpoint'],
      ['/function/edit', { function: { ...order, parameters: 'none' } }, 'function.parameters'],
      ['/knowledge/edit', { knowledge: { content: 'x' } }, 'knowledge.tittle'],
      ['/knowledge/edit', { knowledge: { tittle: 'x' } }, 'knowledge.content'],
      ['/knowledge/edit', { fileType: 'pdf', knowledge: { tittle: 'x', content: 'no PDF' } }, 'knowledge.content'],
      [
        '/knowledge/edit',
        { knowledge: { tittle: 'x', content: 'data:image/png;base64,iVBORwAA' } },
        'knowledge.content',
      ],
      ['/knowledge/edit', { knowledge: { tittle: 'x', content: 'http://[/' } }, 'knowledge.content'],
      ['/knowledge/search', { query: '' }, 'query'],
    ] as const) {
      const { status, body: answer } = await edit(body, path)
      assert.equal(status, 400, JSON.stringify(answer))
      assert.equal((answer.details as Json[])[0]?.field, field, JSON.stringify(answer))
    }
    assert.deepEqual([await list('/function/list'), await list('/knowledge/list')], before)
  })

  it('never exceed the limit of an instance, also when many are created at once', async (t) => {
    const full = await world.instance('full')
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const some = (path: string, bodies: readonly Json[]) =>
      Promise.all(bodies.map((body) => full.call<Json>('POST', path, body)))
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await database.query(
      `INSERT INTO agent_function (instance_id, id, name, description, method, endpoint, active, headers, body, parameters,
         undocumented, header_error, body_error)
       SELECT $1, 'r' || n, 'f' || n, '', 'GET', 'https://api.example', false, '', '', '[]', '', false, false
       FROM generate_series(2, $2::int) AS n`,
      [full.id, functionLimit.countMax],
    )
    await database.query(
      `INSERT INTO knowledge (instance_id, id, active, tittle, content, file_type, priority)
       SELECT $1, 'r' || n, true, 't', 'x', '', 0 FROM generate_series(2, $2::int) AS n`,
      [full.id, knowledgeLimit.countMax],
    )
    for (const [path, createdAs, { countMax }, listFields, change] of [
      ['/function', 200, functionLimit, (name: string) => ({ function: { ...order, name } }), { function: order }],
      [
        '/knowledge',
        201,
        knowledgeLimit,
        (tittle: string) => ({ knowledge: { tittle, content: 'x' } }),
        { knowledge: { content: 'another and longer one' } },
      ],
    ] as const) {
      const answers = await some(
        `${path}/edit`,
        names.map((name) => listFields(name)),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [createdAs, 409, 409, 409, 409, 409])
      const { body } = answers.find(({ status }) => status === 409) as { body: Json }
      assert.deepEqual([body.code, (body.details as Json[])[0]?.field], ['RECORD_LIMIT', 'id'])
      assert.match(String(body.error), new RegExp(`^There are ${countMax} \\w.* already`))
      assert.equal((await list(`${path}/list`, full)).length, countMax)
      // Existing records can be changed, and deleting makes room.
      const [changed] = await some(`${path}/edit`, [{ id: 'r2', ...change }])
      assert.equal(changed?.status, 200, JSON.stringify(changed?.body))
      assert.equal((await some(`${path}/edit`, [{ id: 'r2', delete: true }]))[0]?.status, 200)
      assert.equal((await some(`${path}/edit`, [listFields('g')]))[0]?.status, createdAs)
    }

    // Room for one of the six.
    await database.query('DELETE FROM knowledge WHERE instance_id = $1 AND id > $2', [full.id, 'r11'])
    const grow = (id: string, bytes: number) =>
      database.query(`UPDATE knowledge SET content = content || repeat('x', $3) WHERE instance_id = $1 AND id = $2`, [
        full.id,
        id,
        bytes,
      ])
    const { rows } = await database.query<{ bytes: number }>(
      'SELECT sum(octet_length(tittle) + octet_length(content))::int AS bytes FROM knowledge WHERE instance_id = $1',
      [full.id],
    )
    await grow('r10', knowledgeLimit.bytesMax - (rows[0]?.bytes ?? 0) - 1_000)
    const large = await some(
      '/knowledge/edit',
      names.map((tittle) => ({ knowledge: { tittle, content: 'ü'.repeat(499) } })),
    )
    assert.deepEqual(large.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
    const { body: refused } = large.find(({ status }) => status === 409) as { body: Json }
    assert.equal(refused.code, 'RECORD_LIMIT')
    const why = 'makes 999 bytes of the record, and there is room for 1'
    assert.deepEqual(refused.details, [{ field: 'knowledge.content', why }])
    // A change that does not grow is accepted, even where there is too much already.
    await grow('r11', 100)
    const changed = async (knowledge: Json) => (await edit({ id: 'r11', knowledge }, '/knowledge/edit', full)).status
    assert.equal(await changed({ tittle: 'longer' }), 409)
    assert.equal(await changed({ tittle: 'u', active: false }), 200)
    assert.equal(await changed({ content: 'short' }), 200)
  })

  const key = 'sk-proj-0123456789abcdef'
  const ana = { name: 'Ana', provider: 'openai', model: 'gpt-4.1-mini', apikey: key }
  const agents = (body: Json, instance?: TestInstance) => edit(body, '/agent/edit', instance)
  const triggers = (body: Json, instance?: TestInstance) => edit(body, '/trigger/edit', instance)
  const made = async (answer: Promise<{ status: number; body: Json }>) => {
    const { status, body } = await answer
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }

  it('include agents, whose keys no answer holds, and which are changed in part', async (t) => {
    const scales = { temperature: 70, diversityLevel: 50, frequencyPenalty: 30, presencePenalty: 30 }
    const given = {
      ...{ ...scales, basePrompt: 'Be kind.', maxTokens: 2000, maxMessageLength: 500, typingDelay_seconds: 3 },
      ...{ contextTimeWindow_hours: 24, contextMaxMessages: 50, contextMinMessages: 3, signMessages: true },
    }
    const agent = await made(agents({ agent: { ...ana, ...given } }))
    assert.match(String(agent.id), /^r[0-9a-f]{16}$/)
    const { id, created, updated, ...fields } = agent
    assert.deepEqual(fields, {
      ...{ ...ana, ...given, apikey: 'sk-...cdef', baseUrl: '', readMessages: false, functions: null, knowledge: null },
      ...{ fallbackMessage: '', inputPrice: null, outputPrice: null, blockedReason: '', blockedCode: '', owner: '' },
      ...{ embeddingModel: '', embeddingError: '', embeddingCode: '' },
    })
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const stored = async () =>
      (await database.query('SELECT apikey FROM agent WHERE id = $1', [id])).rows[0]?.apikey as Buffer
    const sealed = await stored()
    assert.ok(!sealed.includes(key))
    const changed = await done(
      { id, agent: { apikey: 'sk-...cdef', temperature: null, inputPrice: 0.15 } },
      '/agent/edit',
    )
    assert.deepEqual([changed.apikey, changed.temperature, changed.inputPrice], ['sk-...cdef', undefined, 0.15])
    assert.equal(changed.basePrompt, 'Be kind.')
    assert.deepEqual(await stored(), sealed, 'a masked key that is sent back changes nothing')
    assert.equal((await done({ id, agent: { apikey: 'sk-another-0123456' } }, '/agent/edit')).apikey, 'sk-...3456')
    assert.notDeepEqual(await stored(), sealed)
    // Two edits at once both remain.
    await Promise.all([
      done({ id, agent: { name: 'Bia' } }, '/agent/edit'),
      done({ id, agent: { model: 'm' } }, '/agent/edit'),
    ])
    const [listed] = await list('/agent/list')
    assert.deepEqual([listed?.name, listed?.model, JSON.stringify(listed).includes(key)], ['Bia', 'm', false])
    assert.deepEqual(await list('/agent/list', another), [])
    assert.equal((await agents({ id, agent: { name: 'mine' } }, another)).status, 404)
    await done({ id, delete: true }, '/agent/edit')
    assert.equal((await agents({ id, agent: { name: 'gone' } })).body.error, 'Agent not found')
    // A local server needs no key.
    const local = { name: 'Local', provider: 'custom', model: 'm', baseUrl: 'https://93.184.216.34/v1' }
    assert.equal(
      (await done({ id: (await made(agents({ agent: local }))).id, delete: true }, '/agent/edit')).apikey,
      '',
    )
  })

  it('refuse an agent that breaks a rule, name the field, and change nothing', async () => {
    const { id } = await made(agents({ agent: ana }))
    const before = await list('/agent/list')
    for (const [agent, field, why] of [
      [{ name: undefined }, 'agent.name', /^is required$/],
      [{ model: ' ' }, 'agent.model', /^is required$/],
      [{ apikey: '' }, 'agent.apikey', /^is required$/],
      [{ provider: 'none' }, 'agent.provider', /^must be one of/],
      [{ temperature: 101 }, 'agent.temperature', /<= 100/],
      [{ diversityLevel: -1 }, 'agent.diversityLevel', />= 0/],
      [{ presencePenalty: 1.5 }, 'agent.presencePenalty', /integer/],
      [{ maxTokens: 0 }, 'agent.maxTokens', />= 1/],
      [{ apikey: 'sk-...0000' }, 'agent.apikey', /shortened form of another key/],
      [{ apikey: 'with space' }, 'agent.apikey', /without spaces/],
      [{ provider: 'custom' }, 'agent.baseUrl', /^is required for the provider custom$/],
      [{ functions: ['r00'] }, 'agent.functions', /^names r00, which is no function$/],
      [{ knowledge: ['r00'] }, 'agent.knowledge', /^names r00, which is no entry of knowledge$/],
      [{ basePrompt: 'x'.repeat(50_001) }, 'agent.basePrompt', /must not/],
    ] as const) {
      const { status, body } = await agents({ agent: { ...ana, ...agent } })
      const [detail] = (body.details ?? []) as Json[]
      assert.deepEqual([status, detail?.field], [400, field], JSON.stringify(body))
      assert.match(String(detail?.why), why, JSON.stringify(body))
    }
    assert.equal((await agents({ agent: {} })).body.error, 'Missing required fields')
    for (const baseUrl of ['ftp://8.8.8.8/', 'http://a:b@8.8.8.8/'])
      assert.equal((await agents({ agent: { ...ana, baseUrl } })).body.code, 'URL_NOT_ALLOWED', baseUrl)
    assert.deepEqual(await list('/agent/list'), before)
    await done({ id, delete: true }, '/agent/edit')
  })

  it('are created once under an Idempotency-Key, like instances', async (t) => {
    const headers = { 'idempotency-key': 'once' }
    const before = (await list('/agent/list')).length
    const asked = { agent: { ...ana, name: 'Once' } }
    const answers = await Promise.all([1, 2, 3].map(() => one.call<Json>('POST', '/agent/edit', asked, headers)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.id]),
      answers.map(() => [201, answers[0]?.body.id]),
    )
    assert.equal((await list('/agent/list')).length, before + 1)
    const other = await one.call<Json>('POST', '/agent/edit', { agent: { ...ana, name: 'Other' } }, headers)
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_CONFLICT'])
    assert.equal((await another.call('POST', '/agent/edit', asked, headers)).status, 201)
    const refused = { 'idempotency-key': 'refused first' }
    assert.equal((await one.call('POST', '/agent/edit', { agent: {} }, refused)).status, 400)
    assert.equal((await one.call('POST', '/agent/edit', { agent: {} }, refused)).status, 400)
    const make = () =>
      world.gateway.call<Json>('POST', '/instance/create', { admin: true, body: { name: 'Once' }, headers })
    const [made, again] = [await make(), await make()]
    assert.ok(String(made.body.token).length > 20)
    assert.deepEqual(again.body, made.body)
    const database = await connectDatabase(t, world.gateway.databaseUrl)
    const { rows } = await database.query<{ reply: Buffer }>('SELECT reply FROM kept_answer')
    assert.ok(rows.length >= 3 && rows.every(({ reply }) => !reply.includes(String(made.body.token))))
    await done({ id: answers[0]?.body.id, delete: true }, '/agent/edit')
  })

  it('include triggers of existing agents; an agent in use stays', async () => {
    const { id: agent_id } = await made(agents({ agent: ana }))
    const schedule = {
      timezone: 'America/Sao_Paulo',
      windows: [{ days: ['mon', 'fri'], from: '08:00', to: '18:00' }],
      closedMessage: 'We are closed.',
    }
    const trigger = await made(triggers({ trigger: { type: 'agent', agent_id, wordsToStart: 'oi|bom dia', schedule } }))
    const { id, created, updated, ...fields } = trigger
    assert.deepEqual(fields, {
      ...{ active: true, type: 'agent', agent_id, ignoreGroups: true, lead_field: '', lead_operator: 'equals' },
      ...{ lead_value: '', priority: 1, wordsToStart: 'oi|bom dia', responseDelay_seconds: 10, schedule, owner: '' },
    })
    const other = await made(triggers({ trigger: { type: 'agent', agent_id, priority: 7, active: false } }))
    const changed = await done({ id, trigger: { priority: 5, schedule: null } }, '/trigger/edit')
    assert.deepEqual([changed.priority, changed.schedule, changed.wordsToStart], [5, undefined, 'oi|bom dia'])
    assert.deepEqual(
      (await list('/trigger/list')).map((one) => one.id),
      [other.id, id],
    )
    // A condition ends with its field, and a record can be sent back as it was shown.
    const condition = { lead_field: 'lead_status', lead_operator: 'not_equals', lead_value: 'vip' }
    await done({ id, trigger: condition }, '/trigger/edit')
    const free = await done({ id, trigger: { lead_field: '' } }, '/trigger/edit')
    assert.deepEqual([free.lead_field, free.lead_operator, free.lead_value], ['', 'equals', ''])
    assert.deepEqual((await done({ id, trigger: free }, '/trigger/edit')).lead_field, '')
    const inUse = await agents({ id: agent_id, delete: true })
    assert.deepEqual([inUse.status, inUse.body.code], [409, 'AGENT_IN_USE'])
    assert.match(JSON.stringify(inUse.body.details), /is used by the trigger r[0-9a-f]{16}/)
    for (const [body, status, what] of [
      [{ trigger: { type: 'agent' } }, 400, 'trigger.agent_id'],
      [{ trigger: { agent_id } }, 400, 'trigger.type'],
      [{ trigger: { type: 'quickreply', agent_id, quickReply_id: 'r1' } }, 400, 'quick replies are only stored'],
      [{ trigger: { type: 'flow', agent_id } }, 400, 'there are no flows'],
      [{ trigger: { type: 'agent', agent_id: 'r00' } }, 404, 'AGENT_NOT_FOUND'],
      [{ trigger: { type: 'agent', agent_id, wordsToStart: '|' } }, 400, 'has no word in phrase 1'],
      [{ trigger: { type: 'agent', agent_id, lead_field: 'token' } }, 400, 'trigger.lead_field'],
      [{ trigger: { type: 'agent', agent_id, lead_field: 'lead_name' } }, 400, 'trigger.lead_value'],
      [{ trigger: { type: 'agent', agent_id, lead_operator: 'not_empty' } }, 400, 'trigger.lead_field'],
      [{ trigger: { type: 'agent', agent_id, lead_operator: 'equals', lead_value: 'vip' } }, 400, 'trigger.lead_field'],
      [{ trigger: { type: 'agent', agent_id, lead_value: 'vip' } }, 400, 'trigger.lead_field'],
      [{ id: other.id, trigger: { lead_field: '', lead_operator: 'empty' } }, 400, 'trigger.lead_field'],
      [{ trigger: { type: 'agent', agent_id, schedule: { timezone: 'Mars', windows: [{}] } } }, 400, 'timezone'],
      [{ trigger: { type: 'agent', agent_id, schedule: { timezone: 'UTC', windows: [{ from: '8' }] } } }, 400, 'from'],
      [{ id: 'r00', trigger: {} }, 404, 'Trigger not found'],
      [{ id: 'r00', delete: true }, 404, 'Trigger not found'],
      [{ delete: true }, 400, 'Missing required fields'],
    ] as const) {
      const answer = await triggers(body)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      assert.ok(JSON.stringify(answer.body).includes(what), JSON.stringify(answer.body))
    }
    for (const one of [id, other.id]) await done({ id: one, delete: true }, '/trigger/edit')
    assert.deepEqual(await list('/trigger/list'), [])
    await done({ id: agent_id, delete: true }, '/agent/edit')
  })

  it('include the settings of the chatbot, which the instance shows', async () => {
    const path = '/instance/updatechatbotsettings'
    const given = {
      ...{ openai_apikey: key, chatbot_enabled: true, chatbot_ignoreGroups: true, chatbot_stopConversation: 'parar' },
      ...{ chatbot_stopMinutes: 60, chatbot_stopWhenYouSendMsg: 5, chatbot_costPerDay: 2.5 },
      ...{ chatbot_embeddingPrice: 0.02, chatbot_transcriptionPrice: 1.25 },
    }
    const shown = async () => {
      const { instance } = (await one.call<{ instance: Json }>('GET', '/instance/status')).body
      return Object.fromEntries(Object.keys(given).map((field) => [field, instance[field]]))
    }
    const answered = await done(given, path)
    assert.deepEqual([answered.openai_apikey, answered.chatbot_enabled], ['sk-...cdef', true])
    assert.deepEqual(await shown(), { ...given, openai_apikey: 'sk-...cdef' })
    await done({ openai_apikey: 'sk-...cdef', chatbot_stopMinutes: 0 }, path)
    assert.deepEqual(await shown(), { ...given, openai_apikey: 'sk-...cdef', chatbot_stopMinutes: 0 })
    // An agent of OpenAI needs no key of its own then.
    const { id } = await made(agents({ agent: { name: 'Ana', provider: 'openai', model: 'm' } }))
    await done({ id, delete: true }, '/agent/edit')
    for (const body of [
      { chatbot_stopConversation: '!!' },
      { chatbot_stopMinutes: -1 },
      { chatbot_costPerDay: -1 },
      { chatbot_embeddingPrice: -1 },
      { chatbot_transcriptionPrice: 1e9 },
      { openai_apikey: 'sk-...0000' },
      { chatbot_enabled: 'yes' },
    ])
      assert.equal((await edit(body, path)).status, 400, JSON.stringify(body))
    assert.equal((await done({ openai_apikey: '' }, path)).openai_apikey, '')
  })

  it('are deleted with their instance', async () => {
    const { id: agent_id } = await made(agents({ agent: ana }))
    await made(triggers({ trigger: { type: 'agent', agent_id } }))
    await done({ function: order })
    assert.equal((await one.call('DELETE', '/instance')).status, 200)
    assert.equal((await one.call('GET', '/function/list')).status, 401)
    assert.equal((await list('/function/list', another)).length, 1)
  })
})

/** Returns a page that compresses badly, so that the file is a large one. */
function paddedPdfContent(text: string): Buffer {
  const noise = randomBytes(12_000).toString('base64').replaceAll(/.{80}/g, '%$&\n')
  return Buffer.from(`${noise}\nBT /F1 12 Tf 72 700 Td (${text}) Tj ET`)
}

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule, { type FormatsPlugin } from 'ajv-formats'
import { request } from 'undici'
import { packageRoot } from '../lib/package-root.js'
import * as limits from '../schemas/agents/limits.js'
import { errors } from '../schemas/errors.js'
import { eventKinds, messageFilters } from '../schemas/event-kinds.js'
import {
  agentLimit,
  functionLimit,
  knowledgeLimit,
  phoneQuickReplyLimit,
  quickReplyLimit,
} from '../schemas/record-limits.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { withOwnAnswers } from '../test/support/contract.js'
import { startFakeNode } from '../test/support/fake-node.js'
import { longestStopMs } from '../test/support/main-thread-time.js'
import { newNotes } from './input/fold.js'
import { createValidation } from './input/validation.js'
import { listErrorCodes, openApiDocument } from './openapi.js'
import { makeOpenApi } from './openapi-thread.js'
import { hasMethodWithBody } from './route.js'
import { routes } from './routes.js'

// The module is CommonJS: its default export is the plugin for bundlers, and an object that holds it for Node.js.
const addFormats = ((addFormatsModule as unknown as { default?: FormatsPlugin }).default ??
  addFormatsModule) as unknown as FormatsPlugin
const registry = loadSchemas()
const given = JSON.stringify(openApiDocument(routes, registry))

interface Shown {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
}

interface Document {
  readonly info: { readonly version: string }
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, Shown>; security: unknown[] }>
  >
  readonly webhooks: Record<
    string,
    { post: { operationId: string; security: unknown[]; requestBody: Required<Pick<Shown, 'content'>> } }
  >
  readonly components: {
    readonly schemas: Record<string, Record<string, unknown>>
    readonly responses: Record<string, Shown>
    readonly securitySchemes: Record<string, unknown>
  }
}

const document = withOwnAnswers(JSON.parse(given) as Document)

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document) as never)
    assert.deepEqual(result.errors ?? [], [])
    assert.ok(result.valid)
  })

  it('shows every route, with every error code that it may answer', () => {
    const shown = routes.filter(({ hidden }) => hidden !== true)
    for (const route of shown) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
      assert.ok(operation, `${route.method} ${route.path}`)
      for (const code of listErrorCodes(route)) {
        assert.ok(
          operation.responses[errors[code].status]?.description.includes(`\`${code}\``),
          `${route.name} ${code}`,
        )
      }
      assert.equal(operation.security.length > 0, route.auth !== 'none')
    }
    const operations = Object.values(document.paths).flatMap((path) => Object.keys(path))
    assert.equal(operations.length, shown.length)
  })

  it('shows an example of each answer and event, which fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, code: { optimize: false } })
    addFormats(ajv)
    ajv.addSchema({ $id: 'openapi', components: document.components })
    const answers = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).map(([status, { content }]) => [`${operationId} ${status}`, content ?? {}] as const),
      )
    const events = Object.entries(document.webhooks).map(
      ([name, { post }]) => [name, post.requestBody.content] as const,
    )
    for (const [name, content] of [...answers, ...events])
      for (const { schema, example } of Object.values(content)) {
        assert.notEqual(example, undefined, name)
        const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object
        assert.ok(ajv.validate(absolute, example), `${name}: ${ajv.errorsText()} ${JSON.stringify(example)}`)
      }
    assert.ok(answers.length > 500, String(answers.length))
  })

  it('names the answers of errors once, and shares them', () => {
    const { paths, components } = JSON.parse(given) as Document
    const own = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status, answer]) => Number(status) >= 400 && !('$ref' in answer))
    assert.deepEqual(own, [])
    const texts = Object.values(components.responses).map(({ description }) => description)
    assert.equal(new Set(texts).size, texts.length)
    assert.ok(given.length < 2_500_000, String(given.length))
  })

  it('says how events are signed', () => {
    for (const { post } of Object.values(document.webhooks)) {
      assert.deepEqual(post.security, [{ webhookSignature: [] }, {}])
      assert.match(post.operationId, /^receive\w+Event$/)
    }
    assert.ok(document.components.securitySchemes.webhookSignature)
  })

  it('is made beside the other work of a node, which it does not hold up for 20 ms', async () => {
    const stopMs = await longestStopMs(() => makeOpenApi(), 20, 5)
    assert.ok(stopMs < 20, `${stopMs} ms`)
  })

  it('is given out compressed, and once to a caller who keeps it', async (t) => {
    const node = await startFakeNode(t)
    const ask = (headers: Record<string, string>) => request(`${node.url}/openapi.json`, { headers })
    const plain = await ask({})
    const text = await plain.body.text()
    assert.deepEqual(JSON.parse(text), JSON.parse(given))
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, body } = await ask({ 'accept-encoding': encoding })
      const bytes = Buffer.from(await body.arrayBuffer())
      assert.deepEqual([headers['content-encoding'], headers.vary], [encoding, 'Accept-Encoding, Origin'])
      assert.ok(bytes.length < text.length / 5, String(bytes.length))
      assert.equal(decode(bytes).toString(), text)
      const again = await ask({ 'accept-encoding': encoding, 'if-none-match': String(headers.etag) })
      assert.deepEqual([again.statusCode, await again.body.text()], [304, ''])
    }
    const other = await ask({ 'if-none-match': '"other"' })
    assert.deepEqual([other.statusCode, await other.body.text()], [200, text])
  })

  it('carries the label of the interface, and its paths none', () => {
    assert.deepEqual(
      [document.info.version, Object.keys(document.paths).filter((path) => /v\d/.test(path))],
      ['1.0.0', []],
    )
  })

  it('names each operation once', () => {
    assert.equal(new Set(routes.map(({ name }) => name)).size, routes.length)
  })
})

describe('the schemas', () => {
  it('describe every property', () => {
    const silent: string[] = []
    const visit = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(inner as Record<string, Record<string, unknown>>)) {
            if (typeof property.description !== 'string') silent.push(`${place}.${name}`)
          }
        }
        visit(inner, `${place}.${key}`)
      }
    }
    visit(document.components.schemas, '')
    assert.deepEqual(silent, [])
  })

  it('say how many records there may be, and how much they may hold', () => {
    assert.deepEqual(phoneQuickReplyLimit, { ...quickReplyLimit, records: 'quick replies on the phone' })
    for (const [name, { countMax, bytesMax }] of [
      ['EditQuickReplyRequest', quickReplyLimit],
      ['EditFunctionRequest', functionLimit],
      ['EditKnowledgeRequest', knowledgeLimit],
      ['EditAgentRequest', agentLimit],
    ] as const) {
      const description = String(document.components.schemas[name]?.description)
      for (const figure of [`at most ${countMax} `, `at most ${bytesMax / 2 ** 20} MiB together`])
        assert.ok(description.includes(figure), `${name}: ${figure}`)
    }
  })

  it('bound agents and triggers as imported files are', () => {
    type Fields = Readonly<Record<string, { readonly maxLength?: number; readonly maximum?: number }>>
    const listFields = (name: string, field: string) => {
      const { properties } = document.components.schemas[name] as { properties: Record<string, { properties: Fields }> }
      return properties[field]?.properties ?? {}
    }
    const [agent, trigger] = [listFields('EditAgentRequest', 'agent'), listFields('EditTriggerRequest', 'trigger')]
    for (const [field, max] of [
      [agent.name, limits.NAME_LENGTH_MAX],
      [agent.model, limits.MODEL_LENGTH_MAX],
      [agent.apikey, limits.KEY_LENGTH_MAX],
      [agent.baseUrl, limits.BASE_URL_LENGTH_MAX],
      [agent.basePrompt, limits.PROMPT_LENGTH_MAX],
      [agent.maxTokens, limits.ANSWER_TOKENS_MAX],
      [agent.temperature, limits.SCALE_MAX],
      [agent.maxMessageLength, limits.MESSAGE_LENGTH_MAX],
      [agent.typingDelay_seconds, limits.TYPING_SECONDS_MAX],
      [agent.contextTimeWindow_hours, limits.CONTEXT_HOURS_MAX],
      [agent.contextMaxMessages, limits.CONTEXT_MESSAGES_MAX],
      [agent.fallbackMessage, limits.FALLBACK_LENGTH_MAX],
      [agent.inputPrice, limits.PRICE_MAX / 1_000_000],
      [trigger.priority, limits.PRIORITY_MAX],
      [trigger.wordsToStart, limits.WORDS_LENGTH_MAX],
      [trigger.lead_value, limits.LEAD_VALUE_LENGTH_MAX],
      [trigger.responseDelay_seconds, limits.DELAY_SECONDS_MAX],
    ] as const)
      assert.equal(field?.maxLength ?? field?.maximum, max, JSON.stringify(field))
  })

  it('are JSON schemas, and so is that of the configuration', () => {
    const ajv = new Ajv2020({ strict: false })
    const text = readFileSync(path.join(packageRoot, 'schemas', 'configuration.json'), 'utf8')
    const configuration = { file: 'configuration.json', schema: JSON.parse(text) as object }
    for (const { file, schema } of [...registry.files, configuration])
      assert.ok(ajv.validateSchema(schema), `${file}: ${ajv.errorsText()}`)
  })

  it('compile, each one', () => {
    const validation = createValidation(registry)
    for (const { schema } of routes) {
      if (schema === undefined) continue
      for (const check of [validation.body, validation.query]) {
        // That an empty value may not fit is another matter: what is shown is that there is something to hold it against.
        try {
          check(schema, {}, newNotes())
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'INVALID_REQUEST', `${schema}: ${error}`)
        }
      }
      try {
        validation.reply(schema, {})
      } catch (error) {
        assert.match(String(error), /does not fit/)
      }
    }
  })

  it('show one example of each request body, which is taken as it stands', () => {
    const validation = createValidation(registry)
    for (const { schema, method, path } of routes) {
      const part = schema === undefined || !hasMethodWithBody({ method }) ? undefined : registry.part(schema, 'request')
      if (schema === undefined || part === undefined) continue
      const examples = part.schema.examples as readonly unknown[] | undefined
      assert.equal(examples?.length, 1, `${path}: examples of schemas/${schema}`)
      const notes = newNotes()
      validation.body(schema, structuredClone(examples?.[0]), notes)
      assert.deepEqual(notes, newNotes(), path)
      const shown = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.post as { requestBody?: unknown } | undefined
      const { content } = (shown?.requestBody ?? {}) as { content?: Record<string, { example?: unknown }> }
      if (shown !== undefined) assert.deepEqual(content?.['application/json']?.example, examples?.[0], path)
    }
  })

  it('list the same events and filters as the code', () => {
    const { EventKind, MessageFilter } = document.components.schemas
    assert.deepEqual(EventKind?.enum, eventKinds)
    assert.deepEqual(MessageFilter?.enum, [...messageFilters, 'isGroupNo'])
  })
})

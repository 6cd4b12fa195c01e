import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as limits from '../schemas/agents/limits.js'
import { errors } from '../schemas/errors.js'
import { eventKinds, messageFilters } from '../schemas/event-kinds.js'
import { packageRoot } from '../schemas/package-root.js'
import {
  agentLimit,
  functionLimit,
  knowledgeLimit,
  phoneQuickReplyLimit,
  quickReplyLimit,
} from '../schemas/record-limits.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import { newNotes } from './input/fold.js'
import { createValidation } from './input/validation.js'
import { errorCodesOf, openApiDocument } from './openapi.js'
import { hasMethodWithBody } from './route.js'
import { routes } from './routes.js'

const registry = loadSchemas()
const document = JSON.parse(JSON.stringify(openApiDocument(routes, registry))) as {
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, { description: string }>; security: unknown[] }>>
  components: { schemas: Record<string, Record<string, unknown>> }
}

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
      for (const code of errorCodesOf(route)) {
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
    const fieldsOf = (name: string, field: string) => {
      const { properties } = document.components.schemas[name] as { properties: Record<string, { properties: Fields }> }
      return properties[field]?.properties ?? {}
    }
    const [agent, trigger] = [fieldsOf('EditAgentRequest', 'agent'), fieldsOf('EditTriggerRequest', 'trigger')]
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

/** The guides for people who come from other gateways: whatever they say of this one is in the OpenAPI document. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats, { type FormatsPlugin } from 'ajv-formats'
import { openApiDocument } from '../api/openapi.js'
import { routes } from '../api/routes.js'
import { packageRoot } from '../lib/package-root.js'
import { errors } from '../schemas/errors.js'
import { loadSchemas } from '../schemas/schema-registry.js'
import {
  type GuideRow,
  guideExamples,
  guideNames,
  guideRows,
  guideText,
  spansOfPosthorn,
} from '../test/support/guide-tables.js'
import { uazapiOperations } from '../test/support/uazapi-operations.js'
import { documentedEvents, listFields } from '../test/support/webhooks-page.js'

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}
interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >
}

const JSON_TYPE = 'application/json'
const OPERATION = /^(?:GET|POST|PUT|PATCH|DELETE) \//
const document = openApiDocument(routes, loadSchemas()) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

describe('the pages in several languages', () => {
  it('have the same commands in the README', () => {
    const [english, ...others] = ['README.md', 'README.pt-BR.md', 'README.es.md'].map((file) => {
      const text = readFileSync(path.join(packageRoot, file), 'utf8')
      assert.ok(text.split('\n').length <= 91, `${file} has at most 90 lines`)
      const options = [...text.matchAll(/`(--? --[\w ]+|(?:npx|npm|docker) [^`]+)`/g)].map(([, command]) => command)
      return { commands: listCommands(text), options }
    })
    assert.ok((english?.commands.length ?? 0) >= 4 && (english?.options.length ?? 0) >= 8)
    for (const other of others) assert.deepEqual(other, english)
  })

  it('have the same calls in the five minutes from Evolution API', () => {
    const [english, ...others] = ['evolution-drop-in', 'evolution-em-cinco-minutos', 'evolution-en-cinco-minutos'].map(
      (name) => listCommands(readFileSync(path.join(packageRoot, `docs/guides/${name}.md`), 'utf8')),
    )
    assert.ok((english?.length ?? 0) >= 5)
    for (const other of others) assert.deepEqual(other, english)
  })
})

describe('the first steps', () => {
  it('work with curl 7.68, as in Ubuntu 20.04, which knows no --json', () => {
    for (const file of pages())
      assert.doesNotMatch(readFileSync(path.join(packageRoot, file), 'utf8'), /curl [^\n]*--json/, file)
  })

  it('have the same calls in each language', () => {
    const [english, portuguese, spanish] = ['first-steps', 'primeiros-passos', 'primeros-pasos'].map((name) =>
      listCalls(readFileSync(path.join(packageRoot, `docs/guides/${name}.md`), 'utf8')),
    )
    assert.ok((english?.length ?? 0) >= 6)
    assert.deepEqual(portuguese, english)
    assert.deepEqual(spanish, english)
  })
})

describe('the page of what each release needs', () => {
  it('has each release, with the migrations that it brings', () => {
    const page = readFileSync(path.join(packageRoot, 'docs/operations/releases.md'), 'utf8')
    const changes = readFileSync(path.join(packageRoot, 'CHANGELOG.md'), 'utf8')
    const releases = [...changes.matchAll(/^## (\S+)/gm)].map(([, name = '']) => name.toLowerCase())
    const rows = [...page.matchAll(/^\| (\d\S+|unreleased) \|.*\| (\d{4}) (?:to|and) (\d{4}|the newest) \|/gm)]
    assert.deepEqual(
      rows.map(([, name]) => name),
      releases.filter((name) => /^\d|unreleased/.test(name)),
    )
    // Without a gap: the newest of a release and the oldest of the next one are neighbours.
    const migrations = readdirSync(path.join(packageRoot, 'runtime/store/migrations')).map((file) => file.slice(0, 4))
    for (const [index, [, , first = '']] of rows.entries()) {
      const last = rows[index + 1]?.[3]
      assert.ok(last === undefined || !migrations.some((one) => one > last && one < first), `${last} to ${first}`)
    }
    for (const name of releases.slice(1, -1)) assert.ok(page.includes(`\n## ${name}, from `), name)
  })
})

function pages(): readonly string[] {
  const folders = ['docs', 'examples', 'clients', 'k8s', 'sandbox'].flatMap((folder) =>
    readdirSync(path.join(packageRoot, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  )
  return ['README.md', ...folders.filter((name) => name.endsWith('.md') && !name.includes('node_modules'))]
}

/** Returns the lines of the commands, without names, numbers and texts of the language. */
function listCommands(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .trim()
      .split('\n')
      .map((line) =>
        line
          .replaceAll(/\b(shop|loja|tienda)\b/g, 'NAME')
          .replaceAll(/"(instanceName|token|number|text)": ?"[^"]*"/g, '"$1"'),
      ),
  )
}

/** Returns path, headers and fields of each call by curl. */
function listCalls(text: string): readonly string[] {
  return [...text.matchAll(/^curl (.*)$/gm)].map(([, call = '']) => {
    const place = /localhost:3000(\/[\w/]+)/.exec(call)?.[1]
    const token = /(admintoken|token)[:=]/.exec(call)?.[1]
    const fields = [...call.matchAll(/"(\w+)":/g)].map(([, name]) => name)
    return [place, token, ...fields].join(' ')
  })
}

describe('guides for people who come from another gateway', () => {
  for (const name of guideNames) {
    const text = guideText(name)

    it(`${name} names operations that exist, with fields that they have`, () => {
      const wrong = guideRows(text).flatMap((row) => operationMistakes(row))
      assert.deepEqual(wrong, [])
      assert.deepEqual(
        spansOfPosthorn(text).filter((span) => OPERATION.test(span) && findOperation(span) === undefined),
        [],
      )
    })

    it(`${name} names kinds of events that exist, with fields that they have`, () => {
      const wrong = guideRows(text).flatMap((row) => eventMistakes(row))
      assert.deepEqual(wrong, [])
    })

    it(`${name} names settings and error codes that exist`, () => {
      const settings = readFileSync(path.join(packageRoot, 'docs/reference/configuration.md'), 'utf8')
      const isKnown = (word: string) => word in errors || settings.includes(`\`${word}\``)
      const words = spansOfPosthorn(text).filter((span) => /^[A-Z]+(_[A-Z]+)+$/.test(span))
      assert.deepEqual(
        words.filter((word) => !isKnown(word) && !theirWords(text).has(word)),
        [],
      )
    })

    it(`${name} has examples that fit the schemas`, () => {
      const validate = createValidator()
      const examples = guideExamples(text)
      assert.ok(examples.length >= 4, `${examples.length} examples`)
      for (const { about, body, line } of examples)
        assert.deepEqual(validate(about, body), [], `${name}:${line} ${about}`)
    })
  }

  it('have a row for each operation of uazapi', () => {
    const rows = guideRows(guideText('from-uazapi.md')).flatMap(({ theirs }) => theirs.map(plain))
    assert.equal(uazapiOperations.length, 151)
    assert.deepEqual(
      uazapiOperations.filter((one) => !rows.includes(one)),
      [],
    )
  })

  it('have a counterpart for each operation of uazapi but that of managed proxies', () => {
    const rows = guideRows(guideText('from-uazapi.md')).filter(({ hasCounterpart }) => hasCounterpart)
    const here = new Set(rows.flatMap(({ theirs }) => theirs.map(plain)))
    const absent = uazapiOperations.filter((one) => !here.has(one))
    assert.equal(uazapiOperations.length - absent.length, 150)
    assert.deepEqual(absent, ['get /proxy-managed/cities'])
  })

  it('do not hide an operation of uazapi that exists here', () => {
    const rows = guideRows(guideText('from-uazapi.md')).filter(({ hasCounterpart }) => !hasCounterpart)
    const here = new Set(Object.keys(operations()).map(plain))
    const hidden = rows.flatMap(({ theirs }) => theirs).filter((one) => here.has(plain(one)))
    assert.deepEqual(hidden, [])
  })
})

/** Returns the words of other programs, which stand in the first column. */
function theirWords(text: string): ReadonlySet<string> {
  return new Set(guideRows(text).flatMap(({ theirs }) => theirs.flatMap((one) => one.match(/\w+/g) ?? [])))
}

function operationMistakes({ line, head, ours, reply }: GuideRow): string[] {
  if (head === 'Posthorn send field') return unknownFields(line, ours, fieldsOfSends())
  if (head !== 'Posthorn') return []
  const named = ours.filter((span) => OPERATION.test(span))
  const found = named.map(findOperation)
  const lost = named.filter((_, index) => found[index] === undefined).map((one) => `line ${line}: ${one}`)
  if (named.length === 0) return lost
  const known = found.filter((one) => one !== undefined)
  const taken = new Set(known.flatMap((one) => [...fieldsTaken(one)]))
  const answered = new Set(known.flatMap((one) => [...fieldsAnswered(one)]))
  const fields = ours.filter((span) => !OPERATION.test(span))
  return [...lost, ...unknownFields(line, fields, taken), ...unknownFields(line, reply, answered)]
}

function unknownFields(line: number, fields: readonly string[], known: ReadonlySet<string>): string[] {
  return fields.filter((field) => !known.has(field)).map((field) => `line ${line}: ${field}`)
}

function eventMistakes({ line, head, ours }: GuideRow): string[] {
  if (head !== 'Posthorn event' && head !== 'Posthorn event field') return []
  let kind = head === 'Posthorn event' ? undefined : 'messages'
  return ours.flatMap((span) => {
    const named = head === 'Posthorn event' ? findEventSchema(span) : undefined
    // `history` has a field `messages`: a kind counts as a field where the kind before it has one of that name.
    if (named !== undefined && (kind === undefined || !eventFields(kind).has(span))) {
      kind = span
      return []
    }
    return kind !== undefined && eventFields(kind).has(span) ? [] : [`line ${line}: ${span}`]
  })
}

/** Returns the paths of the fields of a kind, from its schema and from the body in `docs/guides/webhooks.md`. */
function eventFields(kind: string): ReadonlySet<string> {
  const schema = findEventSchema(kind) ?? {}
  const outer = listProperties(schema)
  const inner = Object.entries(outer).flatMap(([name, one]) =>
    Object.keys(listProperties(one)).map((field) => `${name}.${field}`),
  )
  const body = documentedEvents().find(({ EventType }) => EventType === kind)
  return new Set([...Object.keys(outer), ...inner, ...listFields(body).map((field) => field.slice(1))])
}

function findEventSchema(kind: string): Schema | undefined {
  const name = kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
  return document.components.schemas[`${name}Event`]
}

function operations(): Readonly<Record<string, Operation>> {
  return Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const),
    ),
  )
}

function findOperation(name: string): Operation | undefined {
  return operations()[name]
}

function fieldsTaken({ parameters = [], requestBody }: Operation): ReadonlySet<string> {
  const body = requestBody?.content[JSON_TYPE]?.schema ?? {}
  return new Set([...parameters.map(({ name }) => name), ...Object.keys(listProperties(body))])
}

function fieldsAnswered({ responses }: Operation): ReadonlySet<string> {
  const schema = responses[200]?.content?.[JSON_TYPE]?.schema ?? {}
  return new Set(Object.keys(listProperties(schema)))
}

function fieldsOfSends(): ReadonlySet<string> {
  const sends = Object.entries(operations()).filter(([name]) => name.startsWith('POST /send/'))
  return new Set(sends.flatMap(([, one]) => [...fieldsTaken(one)]))
}

function listProperties(schema: Schema): Readonly<Record<string, Schema>> {
  if (schema.$ref !== undefined)
    return listProperties(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  return Object.assign({}, ...(schema.allOf ?? []).map(listProperties), schema.properties) as Record<string, Schema>
}

/** Names of path parameters and case do not count. */
function plain(operation: string): string {
  return operation.replace(/\{\w*\}/g, '{}').toLowerCase()
}

/** Returns a function that validates an example and lists its mistakes; unknown fields are mistakes too. */
function createValidator(): (about: string, body: unknown) => readonly string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;((formats as unknown as { default?: FormatsPlugin }).default ?? (formats as unknown as FormatsPlugin))(ajv)
  ajv.addSchema({ $id: 'document', ...document })
  return (about, body) => {
    const schema = about.startsWith('event ')
      ? findEventSchema(about.slice('event '.length))
      : findOperation(about)?.requestBody?.content[JSON_TYPE]?.schema
    if (schema === undefined) return ['is about nothing that exists']
    const check = ajv.compile(absolute(schema))
    const unknown = Object.keys(body as object).filter((field) => !(field in listProperties(schema)))
    return [...(check(body) ? [] : (check.errors ?? [])).map((one) => JSON.stringify(one)), ...unknown]
  }
}

/** Makes references absolute, so that a part of the document can be compiled alone. */
function absolute(schema: Schema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object
}

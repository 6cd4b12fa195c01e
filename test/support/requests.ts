/** Requests of any operation of the OpenAPI document, made from its schemas: right ones, nearly right ones, hostile ones. */
import fc from 'fast-check'
import type { Contract, Operation, Schema } from './contract.js'

/** Token of a request: `other` is an instance that was never paired, `wrong` is nobody's. */
export type Credential = 'right' | 'other' | 'wrong' | 'none'

export interface GeneratedRequest {
  readonly method: string
  /** With its query, escaped. */
  readonly path: string
  readonly as: Credential
  readonly headers: Readonly<Record<string, string>>
  /** As it stands on the line; `latin1:` begins one whose characters are bytes. */
  readonly body?: string
}

export interface Given {
  readonly contract: Contract
  /** Values of the test's world that may stand in a field, so that not every call ends at the door. */
  known(field: string): readonly unknown[]
  /** Fields without which a call is refused, though its schema does not require them. */
  readonly needed: ReadonlySet<string>
}

/** Texts that programs stumble over: quotes, escapes, placeholders, statements, characters that are none. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  '%',
  '_',
  '%%%',
  '$1',
  '?',
  ':a',
  '--',
  '/*',
  ';',
  "' OR 1=1 --",
  "'; DROP TABLE canary; --",
  '"; DROP TABLE canary; --',
  "'); DELETE FROM canary; --",
  "\\'; UPDATE canary SET text = 'dead'; --",
  "' || (SELECT pg_sleep(30)) || '",
  "' UNION SELECT text FROM canary --",
  '$$; DROP TABLE canary; $$',
  "E'\\x27'",
  "~' OR ''='",
  '!~%',
  ">='",
  '~',
  '!=',
  'true',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '0x10',
  '9'.repeat(400),
  '-9223372036854775809',
  '+wa_name',
  '-wa_lastMsgTimestamp, (SELECT 1)',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '{{name}}',
  '{{lead_field01}}',
  '{{__proto__}}',
  '#{7*7}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '\u0000',
  'a\u0000b',
  '\u0007',
  '\r\nX-Injected: yes',
  'line\nline\ttab',
  '\ud800',
  'a\udfff',
  '\ufffe\uffff',
  '\u2028\u2029',
  '\u202e\u200b\ufeff',
  '👩‍👩‍👧‍👦',
  'İstanbul ß ﬃ',
  'e\u0301'.repeat(20),
  'x'.repeat(256),
  'x'.repeat(5_000),
  'é'.repeat(70_000),
]

const hostileKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  ' ',
  '0',
  "'; --",
  '\u0000',
  '\ud800',
  'é',
]

const hostileNumbers = [
  0,
  -0,
  -1,
  1,
  0.5,
  1e-320,
  255,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53 - 1,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1.7976931348623157e308,
]
/** Written as a number that is infinite for who reads it. */
const infinite = 'number 1e999'

const deep = (depth: number, make: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce((inner) => make(inner), 0 as unknown)

const hostileObjects: readonly unknown[] = [
  JSON.parse('{"__proto__":{"admin":true}}'),
  { constructor: { prototype: { admin: true } } },
  { toString: 'x', valueOf: 1, length: -1 },
  { $ref: '#', type: 'string' },
  deep(20, (inner) => [inner]),
  deep(31, (inner) => ({ a: inner })),
  deep(200, (inner) => [inner]),
]

/** Bodies that are no body. */
const rawBodies: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '{}',
  '{"a":1,}',
  '{"a":01}',
  '\ufeff{}',
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  `${'['.repeat(50_000)}`,
  '{"number":"1","number":{"a":1}}',
  'latin1:\x80\xff',
  'latin1:{"text":"\xc3"}',
  'latin1:{"text":"\xed\xa0\x80"}',
]

/** Of which each has been somebody's undoing. */
const worstTexts = ['\u0000', 'a\u0000b', '\ud800', "'", "'; DROP TABLE canary; --", '\\', '%', '__proto__'] as const

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...worstTexts) },
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

/** A hostile text of one line that every field takes which takes any text. */
export const lines: fc.Arbitrary<string> = hostileText.filter(
  (text) => text.length < 60 && !/\p{Cc}|\p{Surrogate}/u.test(text),
)

/** Of any type; what a field surely does not expect is among it. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...hostileNumbers, infinite) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], ['', ''], [[]]) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileObjects) },
  { weight: 1, arbitrary: fc.double() },
)

/** All that may be asked of one operation. */
export function generateRequests(operation: Operation, given: Given): fc.Arbitrary<GeneratedRequest> {
  const path = fc.tuple(generatePath(operation, given), generateQuery(operation, given)).map((parts) => parts.join(''))
  return fc
    .record({
      path,
      as: generateCredential(operation),
      headers: generateHeaders(operation),
      body: generateBody(operation, given),
    })
    .map(({ body, ...rest }) => ({ method: operation.method, ...rest, ...(body === null ? {} : { body }) }))
}

function generateCredential({ tokens }: Operation): fc.Arbitrary<Credential> {
  if (tokens.length === 0) return fc.constantFrom<Credential>('right', 'none')
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<Credential>('right') },
    { weight: 4, arbitrary: fc.constant<Credential>('other') },
    { weight: 1, arbitrary: fc.constantFrom<Credential>('wrong', 'none') },
  )
}

function generateHeaders({ parameters, body }: Operation): fc.Arbitrary<Record<string, string>> {
  const keys = fc.oneof(
    fc.uuid(),
    fc.constantFrom('again', 'x'.repeat(200), "';--", '%00', '', ' x', 'é', 'x'.repeat(300)),
  )
  const types = fc.oneof(
    fc.constant('application/json'),
    fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'a;b=c'),
  )
  const odd = fc.record(
    {
      ...(parameters.some((one) => one.in === 'header') ? { 'idempotency-key': keys } : {}),
      ...(body === undefined ? {} : { 'content-type': types }),
      'x-request-id': fc.constantFrom('sane', "'; --", 'x'.repeat(500)),
      traceparent: fc.constantFrom('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-zz', '\xff'),
    },
    { requiredKeys: [] },
  )
  // The order: what stands first is what shrinking ends with.
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ 'content-type': 'application/json' }) },
    { weight: 1, arbitrary: odd },
  )
}

function generatePath({ path, parameters }: Operation, given: Given): fc.Arbitrary<string> {
  const parts = path.split(/\{(\w+)\}/)
  const named = new Set(parameters.filter((one) => one.in === 'path').map(({ name }) => name))
  const segment = (name: string) =>
    fc
      .oneof({ weight: 4, arbitrary: anyOf(given.known(`path ${name}`), fc.constant('x')) }, hostileText)
      .map((value) => escaped(String(value)) || 'x')
  return fc
    .tuple(...parts.map((part) => (named.has(part) ? segment(part) : fc.constant(part))))
    .map((all) => all.join(''))
}

function generateQuery({ parameters }: Operation, given: Given): fc.Arbitrary<string> {
  const own = parameters.filter((one) => one.in === 'query')
  const pairs = own.map(({ name, schema }) =>
    fc.tuple(
      fc.constant(name),
      noisy(anyValue(schema, name, given), fc.oneof(hostileText, fc.constantFrom(...hostileNumbers))),
    ),
  )
  const foreign = fc.tuple(fc.constantFrom('__proto__', 'limit[]', 'unknown', '', '%'), hostileText)
  const pair = fc.oneof(...pairs.map((arbitrary) => ({ weight: 5, arbitrary })), { weight: 1, arbitrary: foreign })
  return fc
    .array(pair, { maxLength: 3 })
    .map((all) =>
      all
        .map(([name, value], index) => `${index === 0 ? '?' : '&'}${escaped(name)}=${escaped(String(value))}`)
        .join(''),
    )
}

function generateBody({ body, method }: Operation, given: Given): fc.Arbitrary<string | null> {
  if (method !== 'POST') return fc.constant(null)
  const right = body === undefined ? fc.constant({}) : anyValue(body, '', given)
  const keyed = fc
    .tuple(right, fc.constantFrom(...hostileKeys), hostileValue)
    .map(([one, key, value]) =>
      `${written(one).slice(0, -1)},${JSON.stringify(key)}:${written(value)}}`.replace('{,', '{'),
    )
  return fc.oneof(
    { weight: 10, arbitrary: right.map(written) },
    {
      weight: 8,
      arbitrary: body === undefined ? fc.constant('{}') : spoilt(body, right, given).map(written),
    },
    { weight: 1, arbitrary: keyed },
    { weight: 1, arbitrary: fc.constantFrom(...rawBodies) },
  )
}

/** A right body, and up to two of its fields as they should not be. */
function spoilt(schema: Schema, right: fc.Arbitrary<unknown>, given: Given): fc.Arbitrary<unknown> {
  const { properties } = whole(schema, given)
  const names = Object.keys(properties)
  if (names.length === 0) return right
  const wrong = fc.constantFrom(...names).chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 2, arbitrary: fc.constantFrom(...worstTexts) },
        { weight: 3, arbitrary: hostileValue },
        {
          weight: 1,
          arbitrary: fc.constantFrom(undefined, ...bounds(whole(properties[name] ?? {}, given).keywords)),
        },
        { weight: 1, arbitrary: anyValue(properties[name] ?? {}, name, given, true) },
      ),
    ),
  )
  return fc
    .tuple(right, fc.array(wrong, { minLength: 1, maxLength: 2 }))
    .map(([one, wrongs]) => ({ ...(one as object), ...Object.fromEntries(wrongs) }))
}

/** Values at a bound, and just beyond it. */
function bounds({ minimum, maximum, maxLength, maxItems }: Schema): unknown[] {
  return [
    ...[minimum, maximum].filter((one) => typeof one === 'number').flatMap((one) => [one, one - 1, one + 1]),
    ...(typeof maxLength === 'number' && maxLength <= 100_000
      ? ['x'.repeat(maxLength), '🙂'.repeat(maxLength), 'x'.repeat(maxLength + 1)]
      : []),
    ...(typeof maxItems === 'number' && maxItems <= 1_000 ? [Array.from({ length: maxItems + 1 }, () => 'x')] : []),
  ]
}

/** A value that fits; with `isNoisy` parts of it do not. */
function anyValue(schema: Schema, name: string, given: Given, isNoisy = false): fc.Arbitrary<unknown> {
  const { keywords, properties, required } = whole(schema, given)
  const inner = (one: Schema, of: string) => {
    const value = anyValue(one, of, given, isNoisy)
    return isNoisy ? noisy(value, hostileValue) : value
  }
  const { enum: values, items, additionalProperties, minItems = 0, maxItems = 20 } = keywords
  if (Array.isArray(values)) {
    const own = given.known(name).filter((one) => values.includes(one))
    return fc.oneof({ weight: 2, arbitrary: anyOf(own, fc.constantFrom(...values)) }, fc.constantFrom(...values))
  }
  const types = [keywords.type ?? 'object'].flat() as string[]
  const kinds = types.map((type): fc.Arbitrary<unknown> => {
    switch (type) {
      case 'string':
        return generateText(keywords, name, given)
      case 'integer':
      case 'number':
        return generateNumber(keywords, type, name, given)
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return fc.array(inner((items ?? {}) as Schema, name), {
          minLength: Number(minItems),
          maxLength: Math.min(Number(maxItems), Number(minItems) + 2),
        })
      default: {
        if (typeof additionalProperties === 'object')
          return fc.dictionary(fc.oneof(fc.constant('key'), hostileText), inner(additionalProperties as Schema, name), {
            maxKeys: 3,
          })
        const names = Object.keys(properties)
        const asked = names.filter((one) => required.has(one) || given.needed.has(one))
        const optional = names.filter((one) => !asked.includes(one))
        const some = fc.subarray(optional, { maxLength: Math.min(optional.length, 5) })
        return fc
          .oneof(fc.constant([]), { weight: 2, arbitrary: some })
          .chain((chosen) =>
            fc.record(Object.fromEntries([...asked, ...chosen].map((one) => [one, inner(properties[one] ?? {}, one)]))),
          )
      }
    }
  })
  return fc.oneof(...kinds)
}

function generateText(keywords: Schema, name: string, given: Given): fc.Arbitrary<unknown> {
  const isFit = (value: unknown) => typeof value === 'string' && fits(value, keywords)
  const own = given.known(name).filter(isFit)
  const any = anyText(keywords)
  return own.length === 0
    ? any
    : fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: any })
}

const texts = new Map<string, fc.Arbitrary<string>>()

/** Returns the same generator for the same limits of a text, since it takes most of the time of a request to make one. */
function anyText({ minLength, maxLength, pattern, format }: Schema): fc.Arbitrary<string> {
  const limits = { minLength, maxLength, pattern, format }
  const key = JSON.stringify(limits)
  const known = texts.get(key)
  if (known !== undefined) return known
  const isFit = (text: string) => fits(text, limits)
  const made = fc.oneof(
    fc.constantFrom(...hostileTexts.filter(isFit), 'text'),
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern, 'u')).filter(isFit)
      : fc.string({ unit: 'grapheme', maxLength: Math.min(Number(maxLength ?? 40), 40) }),
  )
  texts.set(key, made)
  return made
}

function generateNumber(
  { minimum = -1e6, maximum = 1e6 }: Schema,
  type: string,
  name: string,
  given: Given,
): fc.Arbitrary<unknown> {
  const [min, max] = [Number(minimum), Number(maximum)]
  const any = type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
  return anyOf(given.known(name), fc.oneof(fc.constantFrom(min, max), any))
}

function anyOf(values: readonly unknown[], otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return values.length === 0 ? otherwise : fc.constantFrom(...values)
}

function noisy(value: fc.Arbitrary<unknown>, noise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 2, arbitrary: value }, { weight: 1, arbitrary: noise })
}

function fits(text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format }: Schema): boolean {
  // Text that no request may hold, whatever its schema.
  if (/(?![\t\n\r])\p{Cc}|\p{Surrogate}/u.test(text)) return false
  const { length } = [...text]
  if (length < Number(minLength) || length > Number(maxLength)) return false
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return false
  return format === undefined || (format === 'uri' ? URL.canParse(text) : !Number.isNaN(Date.parse(text)))
}

interface Whole {
  readonly keywords: Schema
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: ReadonlySet<string>
}

/** A schema with what it refers to and is made of. */
function whole(schema: Schema, given: Given): Whole {
  const parts = [
    ...(typeof schema.$ref === 'string' ? [whole(given.contract.resolve(schema.$ref), given)] : []),
    ...((schema.allOf ?? []) as readonly Schema[]).map((one) => whole(one, given)),
  ]
  return {
    keywords: Object.assign({}, ...parts.map(({ keywords }) => keywords), schema) as Schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties) as Record<
      string,
      Schema
    >,
    required: new Set([...parts.flatMap(({ required }) => [...required]), ...((schema.required ?? []) as string[])]),
  }
}

function written(body: unknown): string {
  return JSON.stringify(body).replaceAll(JSON.stringify(infinite), '1e999')
}

/** Percent-encoded; half a surrogate pair as the bytes that a careless program would send. */
function escaped(text: string): string {
  return text
    .slice(0, 3_000)
    .split(/(\p{Surrogate})/u)
    .map((part) => (/^\p{Surrogate}$/u.test(part) ? '%ED%A0%80' : encodeURIComponent(part)))
    .join('')
}

import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { inspect } from 'node:util'
import { type Fault, faults } from '../../../sandbox/providers/index.js'
import { ModelError, type ModelErrorKind, type Provider } from '../../../schemas/agents/models.js'
import { allProviders, calling, question, startModels } from '../../../test/support/models.js'

const { providers, models, address } = await startModels({ after })
beforeEach(() => providers.clear())

/** Each in an address of its own, so that breakers do not matter. */
let keys = 0
function asked(provider: Provider, model?: string, timeoutMs?: number): Promise<unknown> {
  keys += 1
  const own = address(provider, model, { apiKey: `sk-canary-of-a-key-${keys}` })
  return models.generate(own, question('A canary of a prompt that nobody may log'), calling(timeoutMs))
}

async function catchFailure(work: Promise<unknown>): Promise<ModelError> {
  const error = await work.then(
    () => assert.fail('It succeeded.'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof ModelError, inspect(error))
  assert.doesNotMatch(inspect(error, { depth: 9, showHidden: true }), /canary/)
  return error
}

type Row = readonly [name: string, provider: Provider, fault: Fault, kind: ModelErrorKind, retryAfterMs?: number | null]

const inTwoMinutes = () => new Date(Date.now() + 120_000).toUTCString()
const { status, rateLimited } = faults

const rows: readonly Row[] = [
  ...[408, 409, 500, 502, 503, 504].map((code): Row => [`HTTP ${code}`, 'openai', status(code, {}), 'temporary', null]),
  ['429 without a wait', 'openai', rateLimited('openai'), 'temporary', null],
  ['429 with retry-after', 'openai', rateLimited('openai', { headers: { 'retry-after': '20' } }), 'temporary', 20_000],
  [
    '429 with retry-after-ms',
    'openai',
    rateLimited('openai', { headers: { 'retry-after-ms': '1500', 'retry-after': '2' } }),
    'temporary',
    1_500,
  ],
  ['x-should-retry: true', 'openai', status(400, {}, { 'x-should-retry': 'true' }), 'temporary'],
  ['x-should-retry: false', 'openai', status(503, {}, { 'x-should-retry': 'false' }), 'refused'],
  ['no quota', 'openai', faults.noQuota(), 'quota'],
  ['a billing limit', 'openai', faults.billingLimit(), 'quota'],
  ['400', 'openai', status(400, {}), 'refused'],
  ['404', 'custom', status(404, 'not found'), 'refused'],
  [
    '413',
    'anthropic',
    status(413, { type: 'error', error: { type: 'request_too_large', message: 'Request too large' } }),
    'too_long',
  ],
  ['422', 'custom', status(422, { detail: 'wrong' }), 'refused'],
  ['403', 'openai', status(403, {}), 'key'],
  ['overloaded', 'anthropic', faults.overloaded(), 'temporary', null],
  ['overloaded with a wait', 'anthropic', faults.overloaded({ 'retry-after': '7' }), 'temporary', 7_000],
  ['rate limit', 'anthropic', rateLimited('anthropic', { headers: { 'retry-after': '30' } }), 'temporary', 30_000],
  ['a spend limit', 'anthropic', faults.spendLimit(), 'quota'],
  ['billing', 'anthropic', faults.anthropicBilling(), 'quota'],
  ['no credit', 'anthropic', faults.anthropicCredit(), 'quota'],
  ['429 with RetryInfo', 'gemini', rateLimited('gemini', { retryDelay: '34.4s' }), 'temporary', 34_400],
  [
    '429 with RetryInfo of 30,000 years',
    'gemini',
    rateLimited('gemini', { retryDelay: '999999999999s' }),
    'temporary',
    86_400_000,
  ],
  ['429 without RetryInfo', 'gemini', rateLimited('gemini'), 'temporary', null],
  ['500', 'gemini', faults.geminiStatus(500, 'INTERNAL', 'An internal error has occurred.'), 'temporary'],
  ['503', 'gemini', faults.geminiStatus(503, 'UNAVAILABLE', 'The model is overloaded.'), 'temporary'],
  ['504', 'gemini', faults.geminiStatus(504, 'DEADLINE_EXCEEDED', 'Too late.'), 'temporary'],
  [
    'a country without it',
    'gemini',
    faults.geminiStatus(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
    'refused',
  ],
  ['no permission', 'gemini', faults.geminiStatus(403, 'PERMISSION_DENIED', 'No.'), 'key'],
  ['no balance', 'deepseek', faults.noBalance(), 'quota'],
  ['503', 'deepseek', status(503, { error: { message: 'Server overloaded' } }), 'temporary'],
  ...[408, 429, 502, 503].map(
    (code): Row => [
      `200 with error ${code}`,
      'custom',
      faults.errorIn200(code, 'Provider returned error'),
      'temporary',
    ],
  ),
  ['200 with error 401', 'custom', faults.errorIn200(401, 'No auth'), 'key'],
  ['200 with error 402', 'custom', faults.errorIn200(402, 'Insufficient credits'), 'quota'],
  ['200 with error 400', 'custom', faults.errorIn200(400, 'Bad request'), 'refused'],
  ['an error as text', 'custom', status(404, { error: "model 'x' not found" }), 'refused'],
  ['an HTML page', 'custom', faults.htmlPage(502), 'temporary'],
  ['an HTML page as a success', 'custom', faults.htmlPage(200), 'temporary'],
  ['an answer without choices', 'openai', { kind: 'no-choices' }, 'temporary'],
  ['an answer without candidates', 'gemini', { kind: 'no-choices' }, 'temporary'],
  ['a cut answer', 'openai', { kind: 'cut', after: 'headers' }, 'temporary'],
  ['a closed connection', 'openai', { kind: 'cut', after: 'request' }, 'temporary'],
  ['an answer of another form', 'anthropic', status(200, { hello: 'world' }), 'temporary'],
  ['a list instead of an answer', 'openai', status(200, [1, 2]), 'temporary'],
  [
    'a redirect to a private address',
    'custom',
    { kind: 'redirect', location: 'http://169.254.169.254/latest' },
    'address',
  ],
]

describe('an error of a provider', () => {
  for (const [name, provider, fault, kind, retryAfterMs] of rows)
    it(`is ${kind}: ${provider}, ${name}`, async () => {
      providers.fail(fault)
      const error = await catchFailure(asked(provider))
      assert.equal(error.kind, kind, error.message)
      if (retryAfterMs !== undefined) assert.equal(error.retryAfterMs, retryAfterMs)
      assert.equal(providers.calls.length, 1, 'It was repeated.')
    })

  it('has the wait of a date', async () => {
    providers.fail(rateLimited('openai', { headers: { 'retry-after': inTwoMinutes() } }))
    const { retryAfterMs } = await catchFailure(asked('openai'))
    assert.ok(retryAfterMs !== null && retryAfterMs > 100_000 && retryAfterMs <= 121_000)
  })

  it('is too_long when the messages do not fit, in the words of each provider', async () => {
    for (const provider of allProviders) {
      const long = question('word '.repeat(2000))
      const error = await catchFailure(models.generate(address(provider, `gemini-tiny-${provider}`), long, calling()))
      assert.equal(error.kind, 'too_long', `${provider}: ${error.message}`)
    }
  })

  it('is key when the key is wrong, without its characters', async () => {
    for (const provider of allProviders) {
      const wrong = address(provider, undefined, { apiKey: 'sk-wrong-canary-1234' })
      const error = await catchFailure(models.check(wrong, calling()))
      assert.equal(error.kind, 'key', `${provider}: ${error.message}`)
      assert.doesNotMatch(error.message, /wrong|1234/)
    }
  })

  it('is refused when there is no such model, with the words of the provider', async () => {
    for (const provider of allProviders) {
      const error = await catchFailure(models.check(address(provider, 'missing-model'), calling()))
      assert.equal(error.kind, 'refused')
      assert.match(error.message, /does not exist|not found|model: missing/)
    }
    const error = await catchFailure(models.check(address('openai', 'o3-pro'), calling()))
    assert.match(error.message, /only supported in v1\/responses/)
  })

  it('is blocked when Gemini refuses a prompt', async () => {
    providers.answer({ finish: 'blocked' })
    assert.equal((await catchFailure(asked('gemini'))).kind, 'blocked')
  })

  it('never quotes a prompt, though the provider does', async () => {
    for (const quoted of ['A canary of a prompt that nobody may log', 'of a prompt that nobody', '"canary"'])
      for (const code of [400, 500]) {
        providers.fail(status(code, { error: { message: `Cannot parse: ${quoted}` } }))
        assert.match((await catchFailure(asked('custom'))).message, /^The provider/)
      }
    providers.fail(
      status(400, { error: { message: 'Key sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa7aaaaaa has no access\nto this' } }),
    )
    assert.match((await catchFailure(asked('custom'))).message, /Key … has no access to this$/)
  })
})

describe('a call that does not end', () => {
  for (const place of ['request', 'headers'] as const) {
    it(`ends at its time-out, and its connection with it: after the ${place}`, async () => {
      providers.fail({ kind: 'hang', after: place })
      const error = await catchFailure(asked('openai', undefined, 150))
      assert.deepEqual([error.kind, error.isPerhapsCounted], ['temporary', true])
      await until(() => providers.calls[0]?.isAbandoned === true)
    })

    it(`ends when it is aborted, and its connection with it: after the ${place}`, async () => {
      providers.fail({ kind: 'hang', after: place })
      const abort = new AbortController()
      const call = models.generate(address('anthropic'), question('Oi'), { signal: abort.signal, timeoutMs: 5_000 })
      await providers.called(1)
      abort.abort(new Error('Another message came.'))
      await assert.rejects(call, { message: 'Another message came.' })
      await until(() => providers.calls[0]?.isAbandoned === true)
    })
  }

  it('is not made when it is aborted before', async () => {
    const signal = AbortSignal.abort(new Error('No.'))
    await assert.rejects(models.generate(address('openai'), question('Oi'), { signal }), { message: 'No.' })
    assert.equal(providers.calls.length, 0)
  })

  it('costs no more memory than its limit: the server is cut off', async () => {
    providers.fail({ kind: 'huge', bytes: 50 * 1024 * 1024 })
    const error = await catchFailure(asked('openai'))
    assert.match(error.message, /longer than 1048576 bytes/)
    await until(() => providers.calls[0]?.isAbandoned === true)
  })
})

describe('calls of one instance', () => {
  it('wait for each other above the limit, and give their places back when aborted', async (t) => {
    const own = await startModels(t, 2)
    own.providers.next({ fault: { kind: 'hang', after: 'request' }, times: 2 })
    const abort = new AbortController()
    const options = { signal: abort.signal, timeoutMs: 5_000 }
    const hanging = [1, 2].map(() => own.models.generate(own.address('openai'), question('Oi'), options))
    await own.providers.called(2)
    const waiting = own.models.generate(own.address('openai'), question('third'), calling())
    const impatient = own.models.generate(own.address('openai'), question('fourth'), calling(50))
    await assert.rejects(impatient, { kind: 'temporary' })
    assert.equal(own.providers.calls.length, 2)
    const other = own.address('openai', undefined, { instance: 'i00000000other0' as never })
    assert.equal((await own.models.generate(other, question('other'), calling())).text, 'You said: other')
    abort.abort(new Error('over'))
    for (const call of hanging) await assert.rejects(call, { message: 'over' })
    assert.equal((await waiting).text, 'You said: third')

    own.providers.clear()
    own.providers.next({ fault: { kind: 'hang', after: 'request' }, times: 2 })
    const more = [1, 2].map(() => own.models.generate(own.address('openai'), question('Oi'), calling(500)))
    const ends = Promise.allSettled(more)
    await Promise.race([own.providers.called(2), ends])
    assert.equal(own.providers.calls.length, 2, 'The place of the impatient call is lost.')
    await ends
  })

  it('are refused when too many wait', async (t) => {
    const own = await startModels(t, 1)
    own.providers.next({ fault: { kind: 'hang', after: 'request' } })
    const abort = new AbortController()
    const options = { signal: abort.signal, timeoutMs: 5_000 }
    const calls = Array.from({ length: 9 }, () => own.models.generate(own.address('openai'), question('Oi'), options))
    const ends = Promise.allSettled(calls)
    await assert.rejects(own.models.generate(own.address('openai'), question('Oi'), calling()), /Too many calls/)
    abort.abort(new Error('over'))
    await ends
  })
})

describe('a provider that is away', () => {
  it('is called no more after five failures, by this key only; a check by a person closes the breaker', async () => {
    const own = address('openai', undefined, { apiKey: 'sk-of-a-breaker' })
    for (let count = 0; count < 5; count += 1) {
      providers.fail(status(503, {}))
      assert.equal((await catchFailure(models.generate(own, question('Oi'), calling()))).status, 503)
    }
    const error = await catchFailure(models.generate(own, question('Oi'), calling()))
    assert.match(error.message, /none is made for a while/)
    assert.ok(error.retryAfterMs !== null && error.retryAfterMs > 0 && error.retryAfterMs <= 30_000)
    assert.equal(providers.calls.length, 5)
    await models.generate(address('openai'), question('Oi'), calling())
    await models.check(own, calling())
    await models.generate(own, question('Oi'), calling())
  })
})

describe('an address', () => {
  it('that is not public is refused, whatever the operator allows elsewhere', async () => {
    const port = providers.host.split(':')[1]
    for (const baseUrl of [
      `http://127.0.0.2:${port}/custom/v1`,
      'http://169.254.169.254/v1',
      'http://localhost:1/v1',
      'ftp://8.8.8.8/v1',
      'no url',
    ])
      assert.equal(
        (await catchFailure(models.check(address('custom', undefined, { baseUrl }), calling()))).kind,
        'address',
        baseUrl,
      )
    const none = address('custom', undefined, { baseUrl: null })
    assert.equal((await catchFailure(models.check(none, calling()))).kind, 'address')
  })

  it('needs a key, except for a server of ones own; the environment is never asked', async () => {
    process.env.OPENAI_API_KEY = 'sk-canary-of-the-operator'
    process.env.ANTHROPIC_API_KEY = 'sk-canary-of-the-operator'
    try {
      for (const provider of ['openai', 'anthropic', 'gemini', 'deepseek'] as const) {
        const error = await catchFailure(models.check(address(provider, undefined, { apiKey: '' }), calling()))
        assert.equal(error.kind, 'key')
      }
      assert.equal(providers.calls.length, 0)
      await models.check(address('custom', undefined, { apiKey: '' }), calling())
      assert.equal(providers.calls[0]?.headers.authorization, undefined)
    } finally {
      delete process.env.OPENAI_API_KEY
      delete process.env.ANTHROPIC_API_KEY
    }
  })

  it('cannot be left by a key or a model with strange characters', async () => {
    for (const apiKey of ['sk-a\r\nx-evil: 1', 'sk-ü'])
      assert.equal((await catchFailure(models.check(address('openai', undefined, { apiKey }), calling()))).kind, 'key')
    for (const model of ['../../upload', 'a?b', 'a b', ''])
      assert.equal((await catchFailure(models.check(address('gemini', model), calling()))).kind, 'refused')
    assert.equal(providers.calls.length, 0)
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((done) => setImmediate(done))
}

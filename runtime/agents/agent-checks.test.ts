import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AgentModels, type ModelAddress, ModelError } from '../../schemas/agents/models.js'
import type { InstanceId } from '../../schemas/ids.js'
import { startModels } from '../../test/support/models.js'
import { createAgentChecks } from './agent-checks.js'

const instance = 'i00000000000test' as InstanceId
const addresses = { assertUrlAllowed: async () => undefined as never }

/** Returns checks whose provider fails with these errors, one after the other, and then answers. */
function failing(...errors: ModelError[]) {
  let asked = 0
  const fail = async (): Promise<never> => {
    asked += 1
    const error = errors.shift()
    if (error !== undefined) throw error
    return undefined as never
  }
  const models = { check: fail, embed: fail } as unknown as AgentModels
  return { checks: createAgentChecks({ models, addresses, isAsking: true }), asked: () => asked }
}

const address: ModelAddress = { instance, provider: 'custom', model: 'm', baseUrl: 'https://m.example/v1', apiKey: 'k' }

describe('checks of agents', () => {
  it('pass a good key and model, and refuse others with the field and the reason, with every provider', async (t) => {
    const { providers, models, address: findAddress } = await startModels(t)
    const checks = createAgentChecks({ models, addresses, isAsking: true })
    for (const provider of ['openai', 'anthropic', 'gemini', 'deepseek', 'custom'] as const) {
      assert.equal(await checks.model(findAddress(provider)), null, provider)
      await assert.rejects(
        checks.model(findAddress(provider, undefined, { apiKey: 'sk-wrong-0123456789abcdef' })),
        (error: Error & { details?: { field: string; why: string }[] }) => {
          assert.equal(error.details?.[0]?.field, 'agent.apikey', provider)
          assert.match(error.message, /refuses the key/)
          assert.doesNotMatch(error.message, /sk-wrong|cdef/)
          return true
        },
      )
      await assert.rejects(checks.model(findAddress(provider, 'missing-model')), {
        message: /^Invalid request: agent\.model was refused: /,
      })
    }
    const wrongPath = findAddress('custom', undefined, { baseUrl: `${providers.url}/nothing/v1` })
    await assert.rejects(checks.model(wrongPath), { message: /^Invalid request: agent\.(baseUrl|model) was refused: / })
  })

  it('let a key pass with a warning when the provider is away, busy, or has no money', async (t) => {
    const { providers, models, address: findAddress } = await startModels(t)
    const checks = createAgentChecks({ models, addresses, isAsking: true, timeoutMs: 300 })
    for (const fault of [
      { kind: 'status', status: 503, body: { error: { message: 'busy' } } },
      { kind: 'status', status: 429, body: { error: { message: 'slow down' } } },
      { kind: 'status', status: 429, body: { error: { message: 'pay', code: 'insufficient_quota' } } },
    ] as const) {
      providers.fail(fault)
      assert.match(String(await checks.model(findAddress('openai'))), /^agent\.apikey: /)
    }
    providers.next({ answer: { text: 'late' }, delayMs: 60_000 })
    assert.match(String(await checks.model(findAddress('openai'))), /was stored without a check/)
    await providers.close()
    assert.match(String(await checks.model(findAddress('custom'))), /cannot be reached/)
  })

  it('ask once more if the first question was put wrongly, and no more', async () => {
    const differently = () => new ModelError('temporary', 'It refuses a setting.', { retryAfterMs: 0 })
    const once = failing(differently())
    assert.deepEqual([await once.checks.model(address), once.asked()], [null, 2])
    const always = failing(differently(), differently(), differently())
    assert.match(String(await always.checks.model(address)), /refuses a setting/)
    assert.equal(always.asked(), 2)
  })

  it('refuse an OpenAI key that is unknown, and warn of one that is restricted', async () => {
    const check = (error: ModelError) => failing(error).checks.openaiKey(instance, 'sk-a')
    await assert.rejects(check(new ModelError('key', 'Unknown.', { status: 401 })), {
      message: 'Invalid request: openai_apikey was refused: Unknown.',
    })
    assert.match(String(await check(new ModelError('key', 'Restricted.', { status: 403 }))), /^openai_apikey: /)
    assert.match(String(await check(new ModelError('temporary', 'Away.'))), /without a check/)
    assert.equal(await failing().checks.openaiKey(instance, 'sk-a'), null)
  })

  it('ask nothing if the operator does not want it', async () => {
    const models = { check: assert.fail, embed: assert.fail } as unknown as AgentModels
    const checks = createAgentChecks({ models, addresses, isAsking: false })
    assert.deepEqual([await checks.model(address), await checks.openaiKey(instance, 'sk-a')], [null, null])
  })

  it('are a few at once for each instance', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let active = 0
    const models = {
      async check() {
        active += 1
        await held
      },
    } as unknown as AgentModels
    const checks = createAgentChecks({ models, addresses, isAsking: true })
    const all = Array.from({ length: 6 }, () => checks.model(address))
    await assert.rejects(checks.model(address), { code: 'RATE_LIMITED' })
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(active, 2)
    release()
    assert.deepEqual(await Promise.all(all), [null, null, null, null, null, null])
  })
})

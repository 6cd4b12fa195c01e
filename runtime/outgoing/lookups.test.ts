import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { describe, it } from 'node:test'
import { createLookups } from './lookups.js'

const limits = { max: 2, waitingMax: 3, timeoutMs: 2_000 }
const address: LookupAddress = { address: '192.0.2.1', family: 4 }
const isCode = (code: string) => (error: Error & { code?: string }) => error.code === code

/** Names that end in `.silent` are never answered. */
function resolver() {
  const asked: string[] = []
  const resolve = (name: string): Promise<readonly LookupAddress[]> => {
    asked.push(name)
    return name.endsWith('.silent') ? new Promise(() => {}) : Promise.resolve([address])
  }
  return { asked, resolve }
}

describe('lookups of several owners', () => {
  it('are answered for one while the name servers of another are silent', async () => {
    const { asked, resolve } = resolver()
    const lookups = createLookups(resolve, limits)
    const refused: unknown[] = []
    for (let index = 0; index < 40; index++)
      lookups.known(`${index}.silent`, 'hostile').catch((error: unknown) => refused.push(error))
    assert.deepEqual(await lookups.known('hook.example', 'other'), [address])
    assert.deepEqual(await lookups.fresh('hook.example', 'other'), [address])
    assert.deepEqual(asked, ['0.silent', '1.silent', 'hook.example', 'hook.example'])
    assert.equal(refused.length, 40 - limits.max - limits.waitingMax)
    assert.ok(refused.every((error) => isCode('DNS_QUEUE_FULL')(error as Error)))
  })

  it('of a name that another owner has waiting do not wait for his turn', async () => {
    const { resolve } = resolver()
    const lookups = createLookups(resolve, limits)
    for (const name of ['0.silent', '1.silent', 'hook.example']) lookups.known(name, 'hostile').catch(() => {})
    assert.deepEqual(await lookups.known('hook.example', 'other'), [address])
  })

  it('end in time, waiting included', async () => {
    const { resolve } = resolver()
    const lookups = createLookups(resolve, { ...limits, timeoutMs: 20 })
    const names = ['0.silent', '1.silent', '2.silent']
    const ended = await Promise.allSettled(names.map((name) => lookups.known(name, 'one')))
    for (const one of ended) assert.ok(one.status === 'rejected' && isCode('DNS_TIMEOUT')(one.reason as Error))
  })

  it('are asked once for many who want the same, and once in a while', async () => {
    const { asked, resolve } = resolver()
    const lookups = createLookups(resolve, limits)
    await Promise.all(['a', 'b', 'c'].map((owner) => lookups.known('hook.example', owner)))
    await lookups.known('hook.example', 'd')
    assert.deepEqual(asked, ['hook.example'])
  })
})

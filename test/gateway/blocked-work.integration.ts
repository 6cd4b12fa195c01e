import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { type FakeProviders, startProviders } from '../../sandbox/providers/index.js'
import { eventually, PATIENCE_MS } from '../support/eventually.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { lastingPort } from '../support/port.js'

type Json = Record<string, unknown>

const ANA = '15550730101'
const BEN = '15550730102'
const blocker = new URL('../support/block-on-text.js', import.meta.url).href
const healthPort = await lastingPort()

describe('work that blocks the event loop', () => {
  let providers: FakeProviders
  const {
    world,
    account: ana,
    cleanup,
  } = gatewaySuite({
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
    env: {
      ...{ CLUSTER_MAIN_SILENCE_MS: '8000', WATCHDOG_REPORT_MS: '1000', HEALTH_PORT: String(healthPort) },
      NODE_OPTIONS: `--import=${blocker}`,
    },
    prepare: async () => {
      providers = await startProviders()
      cleanup.after(() => providers.close())
    },
    complete: async () => {
      const agent = {
        ...{ name: 'Bot', provider: 'custom', model: 'qwen3:8b', apikey: '', basePrompt: 'You sell bread.' },
        baseUrl: providers.baseUrl('custom'),
      }
      const { body } = await ana.call<Json>('POST', '/agent/edit', { agent })
      const trigger = { type: 'agent', agent_id: body.id, responseDelay_seconds: 0 }
      assert.equal((await ana.call('POST', '/trigger/edit', { trigger })).status, 201)
      await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
    },
  })

  const health = () =>
    fetch(`http://127.0.0.1:${healthPort}/health`).then(
      async (answer) => ({
        code: answer.status,
        blockedMs: ((await answer.json()) as { blockedMs: number }).blockedMs,
      }),
      () => ({ code: 0, blockedMs: 0 }),
    )

  it('is given up when its process ended itself twice, not when it was killed: a turn of an agent; the next is answered', async (t) => {
    const pool = new pg.Pool({ connectionString: world.gateway.databaseUrl, max: 1 })
    t.after(() => pool.end())
    const noted = async () =>
      (await pool.query<Json>('SELECT kind, instance_id, operation, ends FROM blocked_work')).rows
    providers.next({ answer: { text: 'STAND-STILL' }, times: Number.POSITIVE_INFINITY })
    await world.write(BEN, ANA, 'Good morning!')

    // Killed while it is blocked: that says nothing about the turn.
    await providers.called(1)
    const { code } = await eventually(health, ({ blockedMs }) => blockedMs >= 1_000)
    assert.equal(code, 200)
    await world.gateway.kill('SIGKILL')
    assert.deepEqual(await noted(), [])

    for (const ends of [1, 2]) {
      const isEnded = async (): Promise<boolean> => {
        const isNoted = (await noted()).some((row) => row.ends === ends)
        // The turn continues as soon as the instance is connected, which may be before the API listens. On a busy machine a process may end itself
        // over something else.
        if (!isNoted && !world.gateway.isRunning) await world.gateway.start().catch(() => {})
        return isNoted && !world.gateway.isRunning
      }
      await eventually(isEnded, Boolean, 3 * PATIENCE_MS)
      assert.deepEqual(await noted(), [{ kind: 'turn', instance_id: ana.id, operation: 'turn', ends }])
    }
    providers.clear()
    assert.match(
      world.gateway.output(),
      /"work":\{"kind":"turn","operation":"turn","feature":"agent","instance":"[^"]+","id":"r[0-9a-f]+"\},"stack":\["blockOnWord \(/,
    )

    await world.gateway.start()
    const turns = async () => (await ana.call<{ turns: Json[] }>('GET', `/agent/turns?chatid=${BEN}`)).body.turns
    const [turn] = await eventually(turns, ([newest]) => newest?.state === 'failed')
    assert.match(String(turn?.error), /blocked the gateway until it ended itself, twice/)
    await eventually(noted, (rows) => rows.length === 0)

    providers.answer({ text: 'We have bread.' })
    await world.write(BEN, ANA, 'Hello?')
    await eventually(
      () => world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages?own=false`),
      (messages) => messages.some(({ text }) => text === 'We have bread.'),
    )
  })

  it('is given up then: a message, which is stored without what it says; the next is read', async (t) => {
    const pool = new pg.Pool({ connectionString: world.gateway.databaseUrl, max: 1 })
    t.after(() => pool.end())
    const noted = async () =>
      (await pool.query<Json>("SELECT operation, ends FROM blocked_work WHERE kind = 'frame'")).rows
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: false })
    await world.write(BEN, ANA, 'STAND-STILL')
    for (const ends of [1, 2]) {
      const isEnded = async (): Promise<boolean> => {
        const isNoted = (await noted()).some((row) => row.ends === ends)
        if (!isNoted && !world.gateway.isRunning) await world.gateway.start().catch(() => {})
        return isNoted && !world.gateway.isRunning
      }
      await eventually(isEnded, Boolean, 3 * PATIENCE_MS)
      assert.deepEqual(await noted(), [{ operation: 'message', ends }])
    }
    await world.gateway.start()
    await ana.connected()
    await world.write(BEN, ANA, 'Still there?')
    const messages = await eventually(
      () => ana.messages({ chatid: `${BEN}@s.whatsapp.net`, limit: 2 }),
      ([newest]) => newest?.text === 'Still there?',
    )
    assert.deepEqual(
      messages.map(({ messageType, text }) => [messageType, text]),
      [
        ['text', 'Still there?'],
        ['other', 'A message that cannot be parsed'],
      ],
    )
    await ana.done('/instance/updatechatbotsettings', { chatbot_enabled: true })
  })

  it('is named with its time in the metrics, and its instance in the audit log at the third stop', async () => {
    const audited = async () => {
      const path = `/admin/audit?subject=${ana.id}`
      const { body } = await world.gateway.call<{ entries: Json[] }>('GET', path, { admin: true })
      return body.entries.filter(({ code }) => code === 'EVENT_LOOP_BLOCKED')
    }
    // The cause is known from the second on: only after a stop all time is measured.
    for (let times = 1; times <= 8 && (await audited()).length === 0; times += 1) {
      const text = `STAND-BRIEFLY ${times}`
      providers.answer({ text })
      await world.write(BEN, ANA, `Question ${times}`)
      await eventually(
        () => world.network<{ text: string }[]>('GET', `/phones/${BEN}/messages?own=false`),
        (messages) => messages.some((message) => message.text === text),
      )
    }
    const [entry] = await eventually(audited, (entries) => entries.length === 1)
    assert.deepEqual([entry?.actorKind, entry?.route, entry?.operation], ['node', 'turn', 'turn'])
    const { body } = await world.gateway.call<string>('GET', '/metrics')
    // A busy machine may have a longer one, without a name.
    const longest = /^posthorn_event_loop_longest_stop_seconds\{.*\} (\S+)$/m.exec(body)
    assert.ok(Number(longest?.[1]) > 0.3, String(longest?.[0]))
    const turns = /^posthorn_main_thread_seconds_total\{kind="turn",operation="turn",feature="agent"\} (\S+)$/m.exec(
      body,
    )
    assert.ok(Number(turns?.[1]) > 1, String(turns?.[0]))
    assert.match(body, /posthorn_main_thread_seconds_total\{kind="frame",operation="frame",feature="network"\} /)
  })
})

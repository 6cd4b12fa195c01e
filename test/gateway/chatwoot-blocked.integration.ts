import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { agentMessage } from '../../runtime/chatwoot/webhook-facts.js'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually, PATIENCE_MS } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550520801'
const BEN = '15550520802'
const blocker = new URL('../support/block-on-text.js', import.meta.url).href

describe('a reply from Chatwoot that blocks the event loop', () => {
  const { world, account, platform, wrote, arrived } = chatwootSuite({
    env: {
      ...{ CLUSTER_MAIN_SILENCE_MS: '8000', WATCHDOG_REPORT_MS: '1000' },
      NODE_OPTIONS: `--import=${blocker}`,
    },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
  })

  it('is given up when its process ended itself twice: its agent sees that it failed, and the next one is sent', async (t) => {
    const pool = new pg.Pool({ connectionString: world.gateway.databaseUrl, max: 1 })
    t.after(() => pool.end())
    const noted = async () => (await pool.query<Json>('SELECT kind, operation, ends FROM blocked_work')).rows
    const { conversationId } = await wrote(BEN, 'Do you have bread?')

    // Its webhook does not come; it waits in the store, with a text that takes for ever.
    await world.gateway.kill('SIGKILL')
    const reply = platform().agentReplies(conversationId, 'Which bread?')
    const message = agentMessage({
      ...{ event: 'message_created', id: reply.id, message_type: 'outgoing', content: 'STAND-STILL' },
      ...{ created_at: Date.now() / 1_000, account: { id: 1 } },
      conversation: {
        id: conversationId,
        inbox_id: platform().inbox.id,
        meta: { sender: { phone_number: `+${BEN}` } },
      },
    })
    await pool.query(
      `INSERT INTO chatwoot_in (instance_id, cw_id, kind, conversation_id, body) VALUES ($1, $2, 'created', $3, $4)`,
      [account.id, reply.id, conversationId, JSON.stringify(message)],
    )
    for (const ends of [1, 2]) {
      const isEnded = async (): Promise<boolean> => {
        const isNoted = (await noted()).some((row) => row.kind === 'reply' && row.ends === ends)
        if (!isNoted && !world.gateway.isRunning) await world.gateway.start().catch(() => {})
        return isNoted && !world.gateway.isRunning
      }
      await eventually(isEnded, Boolean, 3 * PATIENCE_MS)
      assert.deepEqual(await noted(), [{ kind: 'reply', operation: 'chatwoot', ends }])
    }

    await world.gateway.start()
    await eventually(() =>
      platform()
        .messages()
        .some(({ id, status }) => id === reply.id && status === 'failed'),
    )
    await eventually(noted, (rows) => rows.length === 0)
    await account.connected()
    platform().agentReplies(conversationId, 'We have bread.')
    assert.equal((await arrived(BEN, 'We have bread.')).arrivals, 1)
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { eventually } from '../support/eventually.js'

type Json = Record<string, unknown>

const ANA = '15550592001'
const BEN = '15550592002'
const EVE = '15550592003'
const WITHIN_MS = 60_000

describe('with the oldest release of Chatwoot that is known, an instance', () => {
  const { world, account, platform, configure, shown, wrote, arrived } = chatwootSuite({
    env: { FFMPEG_PATH: '/nonexistent/ffmpeg', WEBHOOK_BACKOFF_MIN_MS: '100', WEBHOOK_BACKOFF_MAX_MS: '500' },
    phones: { [BEN]: 'Ben', [EVE]: 'Eve' },
    account: [ANA, 'Ana'],
    platform: { version: '4.3.0' },
  })
  const config = async () => (await account.call<Json>('GET', '/chatwoot/config')).body
  const names = () =>
    platform()
      .contacts()
      .map(({ name }) => name)
  const inboxPath = () => `${platform().url}/api/v1/accounts/${platform().account.id}/inboxes/${platform().inbox.id}`

  it('takes webhooks without a signature, known by their path alone, and says so', async () => {
    assert.equal((await config()).signed, false)
    const { body } = await configure()
    assert.ok((body.warnings as string[]).some((warning) => warning.includes('does not sign')))
    const { conversationId } = await wrote(BEN, 'hello')
    platform().agentReplies(conversationId, 'hello Ben')
    await arrived(BEN, 'hello Ben')
  })

  it('carries quotes both ways', async () => {
    const asked = await wrote(BEN, 'quote this')
    const reply = platform().agentReplies(asked.conversationId, { content: 'quoted', inReplyTo: asked.id })
    const there = await arrived(BEN, 'quoted')
    assert.equal(there.quotedId, asked.waId)
    await world.network('POST', `/phones/${BEN}/text`, { to: ANA, text: 'quoted back', quotedId: there.id })
    assert.equal((await shown('quoted back')).attributes.in_reply_to, reply.id)
  })

  it('lets a name that begins with ~ follow the one in the address book', async () => {
    await wrote(EVE, 'I am Eve')
    assert.ok(names().includes('~Eve'))
    await world.network('POST', `/phones/${ANA}/contacts`, { number: EVE, name: 'Evelyn' })
    await account.chat(EVE, ({ wa_contactName }) => wa_contactName === 'Evelyn')
    await wrote(EVE, 'I am Evelyn')
    await eventually(names, (all) => all.includes('~Evelyn') && !all.includes('~Eve'), WITHIN_MS)
  })

  it('sets the webhook of the inbox again with PUT when somebody changed it', async () => {
    const url = (await config()).chatwoot_inbox_webhook_url
    const headers = { api_access_token: platform().tokens.administrator, 'content-type': 'application/json' }
    const changed = { channel: { webhook_url: 'https://elsewhere.example/hook' } }
    await fetch(inboxPath(), { method: 'PATCH', headers, body: JSON.stringify(changed) })
    assert.notEqual(platform().inbox.webhookUrl, url)
    assert.equal((await configure()).status, 200)
    assert.equal(platform().inbox.webhookUrl, url)
  })

  it('names the webhook that the token of an agent cannot set', async () => {
    const headers = { api_access_token: platform().tokens.administrator, 'content-type': 'application/json' }
    const changed = { channel: { webhook_url: '' } }
    await fetch(inboxPath(), { method: 'PATCH', headers, body: JSON.stringify(changed) })
    const { status, body } = await configure({ access_token: platform().tokens.agent })
    assert.equal(status, 200)
    const url = String(body.chatwoot_inbox_webhook_url)
    assert.ok((body.warnings as string[]).some((warning) => warning.includes(url)))
    assert.equal((await configure()).status, 200)
  })

  it('prints its token and the secret of its path in no log', async () => {
    const { tokens } = platform()
    const path =
      String((await config()).chatwoot_inbox_webhook_url)
        .split('/')
        .at(-1) ?? ''
    assert.match(path, /^[0-9a-f]{48}$/)
    for (const secret of [tokens.administrator, tokens.agent, path])
      assert.ok(!world.gateway.output().includes(secret), 'a secret is in the log')
  })

  it('notes that the inbox was deleted, and keeps what waits', async () => {
    platform().agents.deletesInbox(platform().inbox.id)
    await world.write(BEN, ANA, 'to nobody')
    await eventually(config, ({ state }) => state === 'inbox_gone', WITHIN_MS)
    assert.deepEqual((await account.call<Json>('GET', '/webhook/deadletters')).body.deadLetters ?? [], [])
  })
})

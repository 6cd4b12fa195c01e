import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chatwootSuite } from '../support/chatwoot-suite.js'
import { evolutionClient, pairedEvolution } from '../support/evolution.js'

type Json = Record<string, unknown>

const ANA = '15550540001'
const BEN = '15550540002'
const EVE = '5511988540003'

describe('an inbox of Chatwoot by its name', () => {
  const { world, account, platform, configure, shown, wrote } = chatwootSuite({
    env: { DIALECTS: 'evolution' },
    phones: { [BEN]: 'Ben' },
    account: [ANA, 'Ana'],
  })
  const inboxes = async () => {
    const { url, account: owner, tokens } = platform()
    const response = await fetch(`${url}/api/v1/accounts/${owner.id}/inboxes`, {
      headers: { api_access_token: tokens.administrator },
    })
    return ((await response.json()) as { payload: Json[] }).payload
  }
  const set = (name: string, more: Json = {}) =>
    configure({ inbox_id: undefined, inbox_name: name, relink: true, ...more })

  it('is refused when none has it, unless it is to be made; then agents are named as what is left to do', async () => {
    const before = (await inboxes()).length
    const refused = await set('Sales')
    assert.equal(refused.status, 400, JSON.stringify(refused.body))
    assert.match(JSON.stringify(refused.body.details), /inbox_name.*create_inbox makes it/)
    const byAgent = await set('Sales', { create_inbox: true, access_token: platform().tokens.agent })
    assert.match(JSON.stringify(byAgent.body.details), /access_token.*administrator/)
    assert.equal((await inboxes()).length, before)

    const made = await set('Sales', { create_inbox: true })
    assert.equal(made.status, 200, JSON.stringify(made.body))
    assert.match(JSON.stringify(made.body.warnings), /Sales was made\. Add the agents/)
    const inbox = (await inboxes()).find(({ name }) => name === 'Sales')
    assert.equal(inbox?.webhook_url, made.body.chatwoot_inbox_webhook_url)
    assert.equal((await account.call<Json>('GET', '/chatwoot/config')).body.chatwoot_inbox_id, inbox?.id)
    await wrote(BEN, 'to the new inbox')
    assert.equal(platform().conversations().at(-1)?.inboxId, inbox?.id)
  })

  it('is taken again by the same call, and makes no second one', async () => {
    const before = (await inboxes()).length
    assert.equal((await set('Sales', { create_inbox: true, relink: false })).status, 200)
    assert.equal((await inboxes()).length, before)
    const neither = await configure({ inbox_id: undefined })
    assert.equal(neither.status, 400)
    assert.match(JSON.stringify(neither.body), /inbox_name/)
  })

  it('which another instance here has is refused, and so is another one while conversations are linked', async () => {
    const other = await world.instance('Other')
    const { url, tokens, account: owner } = platform()
    const fields = { enabled: true, url, access_token: tokens.administrator, account_id: owner.id, inbox_name: 'Sales' }
    const taken = await other.call<Json>('PUT', '/chatwoot/config', fields)
    assert.equal(taken.status, 400, JSON.stringify(taken.body))
    assert.match(JSON.stringify(taken.body.details), /another instance of this gateway has/)
    const before = (await inboxes()).length
    const linked = await set('Support', { create_inbox: true, relink: false })
    assert.deepEqual([linked.status, linked.body.code], [409, 'CHATWOOT_LINKED'])
    assert.equal((await inboxes()).length, before, 'nothing is made in vain')
  })

  it('is made by clients of Evolution API, under the name of the instance or one of their own', async () => {
    const eve = await pairedEvolution(world, 'eve', EVE)
    const { url, tokens, account: owner } = platform()
    const fields = { enabled: true, accountId: String(owner.id), token: tokens.administrator, url, signMsg: true }
    const more = { reopenConversation: true, conversationPending: false, importContacts: false, importMessages: false }
    await eve.done('POST', '/chatwoot/set/eve', { ...fields, ...more, nameInbox: '' })
    assert.ok((await inboxes()).some(({ name }) => name === 'eve'))
    await world.write(BEN, EVE, 'for eve')
    await shown('for eve')
    const without = await evolutionClient(world).call('POST', '/chatwoot/set/eve', {
      ...{ ...fields, nameInbox: 'Nowhere', autoCreate: false },
    })
    assert.equal(without.status, 400, JSON.stringify(without.body))
    assert.ok(!(await inboxes()).some(({ name }) => name === 'Nowhere'))
  })
})

/** Every operation of the n8n node for Evolution API, outside of n8n and in n8n itself, against a gateway. Both come from the npm registry. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type FakeChatwoot, startChatwoot } from '../../sandbox/chatwoot/index.js'
import { type Cleanup, suiteCleanup } from '../support/cleanup.js'
import { eventually } from '../support/eventually.js'
import { type EvolutionInstance, type Json, pairedEvolution } from '../support/evolution.js'
import { type EvolutionNode, type EvolutionServer, nodeInN8n, nodeOutsideN8n } from '../support/evolution-node.js'
import { gatewaySuite } from '../support/gateway-suite.js'
import { installN8n } from '../support/n8n-program.js'
import { startReceiver } from '../support/receiver.js'
import { opus, png } from '../support/samples.js'

const ANA = '5511988880041'
const BEN = '5511988880042'
const CLEO = '5511988880043'
/** Left out by name: bots of other services and message queues. */
const LEFT_OUT = new Set(['typebot', 'evolution-bot', 'difyBot', 'flowise-bot', 'rabbitmq'])

const n8n = await installN8n(suiteCleanup())

describe('the n8n node for Evolution API, outside of n8n', () => scenario(nodeOutsideN8n))
describe('the n8n node for Evolution API, in n8n itself', { skip: typeof n8n === 'string' && n8n }, () =>
  scenario((cleanup, server) => (typeof n8n === 'string' ? assert.fail(n8n) : nodeInN8n(cleanup, n8n, server))),
)

/** Every operation, by a node that finds the gateway at a server. */
function scenario(start: (cleanup: Cleanup, server: EvolutionServer) => Promise<EvolutionNode>): void {
  let ana: EvolutionInstance
  let node: EvolutionNode
  let chatwoot: FakeChatwoot
  let hook = ''
  const done = new Set<string>()
  const suite = gatewaySuite({
    env: { DIALECTS: 'evolution' },
    phones: { [BEN]: 'Ben', [CLEO]: 'Cleo' },
    complete: async () => {
      const { url, adminToken } = world.gateway
      node = await start(suite.cleanup, { url: `${url}/evolution`, apikey: adminToken })
      chatwoot = await startChatwoot()
      suite.cleanup.after(() => chatwoot.close())
      hook = (await startReceiver(suite.cleanup)).url
      ana = await pairedEvolution(suite.world, 'ana', ANA)
    },
  })
  const { world } = suite

  /** Runs an operation, and returns the answer of the gateway. */
  async function run<T = Json>(resource: string, name: string, values: Json): Promise<T> {
    const json = await node.run(resource, name, { instanceName: 'ana', options_message: {}, ...values })
    done.add(name)
    assert.notEqual(json.success, false, JSON.stringify(json))
    return (json.data ?? json) as T
  }

  const message = (name: string, parameters: Json) => run('messages-api', name, { remoteJid: BEN, ...parameters })
  const isSent = (answer: Json, type: string) => {
    assert.deepEqual([answer.status, answer.messageType], ['PENDING', type])
    assert.equal((answer.key as Json).fromMe, true)
    return String((answer.key as Json).id)
  }
  const received = async (text: string): Promise<string> => {
    const id = await world.write(BEN, ANA, text)
    await eventually(async () => {
      const found = await run<{ messages: { records: Json[] } }>('chat-api', 'find-messages', {
        remoteJid: BEN,
        page: 1,
        offset: 100,
      })
      return found.messages.records.some(({ key }) => (key as Json).id === id)
    })
    return id
  }

  it('sends all kinds of messages', async () => {
    const mentions = { mentionsSettings: { mentionsEveryOne: false, mentioned: `${CLEO}, ${BEN}` } }
    const id = isSent(
      await message('send-text', {
        messageText: 'hello',
        options_message: { delay: 10, linkPreview: false, mentions },
      }),
      'conversation',
    )
    assert.equal((await world.shownAt<Json>(BEN, id)).text, 'hello')
    const quoted = { messageQuoted: { messageId: 'UNKNOWN' } }
    isSent(await message('send-text', { messageText: 'again', options_message: { quoted } }), 'conversation')
    const file = (await png()).toString('base64')
    isSent(await message('send-image', { media: file, caption: 'look' }), 'imageMessage')
    isSent(
      await message('send-video', {
        media: Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(2_000)]).toString(
          'base64',
        ),
      }),
      'videoMessage',
    )
    isSent(await message('send-audio', { media: opus().toString('base64') }), 'audioMessage')
    const answer = await message('send-document', {
      media: Buffer.from('%PDF-1.4 hello').toString('base64'),
      fileName: 'a.pdf',
    })
    isSent(answer, 'documentMessage')
    isSent(
      await message('send-poll', {
        caption: 'Which day?',
        options_display: { metadataValues: [{ optionValue: 'Mon' }, { optionValue: 'Tue' }] },
      }),
      'pollCreationMessageV3',
    )
    const contactValues = [
      { fullName: 'Cleo', wuid: CLEO, phoneNumber: CLEO },
      { fullName: 'Ben', wuid: BEN, phoneNumber: BEN },
    ]
    isSent(await message('send-contact', { contacts: { contactValues } }), 'contactsArrayMessage')
    const sectionValues = [
      { title: 'Drinks', rows: { rowValues: [{ title: 'Water', description: 'Cold', rowId: 'w' }] } },
    ]
    isSent(
      await message('send-list', {
        title: 'Menu',
        description: 'Choose',
        buttonText: 'Open',
        footerText: 'Until noon',
        sections: { sectionValues },
      }),
      'listMessage',
    )
    const buttonValues = [
      { type: 'reply', displayText: 'Yes', id: 'y' },
      { type: 'reply', displayText: 'No', id: 'n' },
    ]
    isSent(
      await message('send-buttons', { title: 'Hello', description: 'Choose', buttons: { buttonValues } }),
      'interactiveMessage',
    )
    isSent(
      await message('send-pix', { name: 'Ana', keyType: 'random', key: '123e4567-e89b-12d3-a456-426614174000' }),
      'interactiveMessage',
    )
    const story = await message('send-stories', {
      type: 'text',
      content: 'Open today',
      statusJidList: BEN,
      backgroundColor: '#008000',
      font: 1,
    })
    assert.equal((story.key as Json).remoteJid, 'status@broadcast')
    const question = await received('react to me')
    isSent(await message('send-reaction', { messageId: question, fromMe: false, reaction: '🎉' }), 'reactionMessage')
  })

  it('looks chats and messages up, and changes them', async () => {
    const chat = (name: string, parameters: Json) => run('chat-api', name, { remoteJid: BEN, ...parameters })
    const id = await received('a question')
    const checked = (await run<Json[]>('chat-api', 'check-number', { numbers: `${BEN}, 5511900000000` })) as Json[]
    assert.deepEqual(
      checked.map(({ exists }) => exists),
      [true, false],
    )
    assert.deepEqual(await chat('read-messages', { fromMe: false, messageId: id }), {
      message: 'Read messages',
      read: 'success',
    })
    assert.equal(
      (await chat('manage-archive', { chat: BEN, archive: true, fromMe: false, messageId: id })).archived,
      true,
    )
    assert.equal((await chat('mark-unread', { chat: BEN, fromMe: false, messageId: id })).markedChatUnread, true)
    const { key } = (await message('send-text', { messageText: 'befor' })) as { key: Json }
    const edited = await chat('update-message', { messageId: key.id, text: 'before' })
    assert.equal((edited.key as Json).fromMe, true)
    await world.shownAt<Json>(BEN, key.id, ({ text }) => text === 'before')
    await chat('delete-message', { messageId: key.id, fromMe: true })
    await world.shownAt<Json>(BEN, key.id, ({ deleted }) => deleted === true || deleted !== null)
    assert.ok('profilePictureUrl' in (await run('chat-api', 'fetch-profile-picture', { number: BEN })))
    const file = (await png()).toString('base64')
    const sent = await message('send-image', { media: file })
    const media = await chat('get-media-base64', { messageId: (sent.key as Json).id, convertToMp4: false })
    assert.deepEqual([media.mediaType, media.mimetype, typeof media.base64], ['imageMessage', 'image/png', 'string'])
    assert.deepEqual(await chat('send-presence', { presence: 'composing', delay: 100 }), { presence: 'composing' })
    assert.deepEqual(await chat('block-contact', { status: 'block' }), { block: 'success' })
    assert.deepEqual(await chat('block-contact', { status: 'unblock' }), { block: 'success' })
    assert.ok(Array.isArray(await chat('find-contacts', { listAll: true })))
    assert.ok(Array.isArray(await chat('find-contacts', { listAll: false })))
    const statuses = (await run<Json[]>('chat-api', 'find-status-messages', {
      remoteJid: BEN,
      messageId: id,
      page: 1,
      offset: 10,
    })) as Json[]
    assert.deepEqual(
      statuses.map(({ keyId }) => keyId),
      [id],
    )
    const [found] = await run<Json[]>('chat-api', 'find-chats', { remoteJid: BEN, messageId: id, page: 1, offset: 10 })
    assert.equal(found?.remoteJid, `${BEN}@s.whatsapp.net`)
  })

  it('makes groups, changes and leaves them', async () => {
    const group = (name: string, parameters: Json) => run('groups-api', name, parameters)
    const made = await group('create-group', {
      subject: 'Trip',
      description: 'To the sea',
      participants: `${BEN}, ${CLEO}`,
    })
    const groupJid = String(made.id)
    assert.deepEqual([made.subject, (made.participants as Json[]).length], ['Trip', 3])
    const picture = (await png(640, 640)).toString('base64')
    assert.deepEqual(await group('update-group-picture', { groupJid, image: picture }), { update: 'success' })
    assert.deepEqual(await group('update-group-name', { groupJid, subject: 'Journey' }), { update: 'success' })
    assert.deepEqual(await group('update-group-description', { groupJid, description: 'By train' }), {
      update: 'success',
    })
    const { inviteCode, inviteUrl } = await group('fetch-invite-code', { groupJid })
    assert.equal(inviteUrl, `https://chat.whatsapp.com/${String(inviteCode)}`)
    assert.equal((await group('fetch-groups', { searchMethod: 'inviteCode', inviteCode })).subject, 'Journey')
    assert.equal((await group('fetch-groups', { searchMethod: 'groupJid', groupJid })).desc, 'By train')
    const all = await run<Json[]>('groups-api', 'fetch-groups', { searchMethod: 'fetchAll', getParticipants: true })
    assert.deepEqual(
      all.map(({ id }) => id),
      [groupJid],
    )
    assert.equal(((await group('find-participants', { groupJid })).participants as Json[]).length, 3)
    const changed = await group('update-participants', { groupJid, action: 'promote', participants: BEN })
    assert.deepEqual(
      (changed.updateParticipants as Json[]).map(({ status }) => status),
      ['200'],
    )
    assert.deepEqual(await group('update-settings', { groupJid, action: 'announcement' }), {})
    assert.deepEqual(await group('toggle-ephemeral', { groupJid, expiration: 86_400 }), { success: true })
    assert.equal((await group('send-invite-link', { groupJid, description: 'Come', numbers: BEN })).send, true)
    const code = String((await group('revoke-invite-code', { groupJid })).inviteCode)
    assert.notEqual(code, inviteCode)
    assert.deepEqual(await group('leave-group', { groupJid }), { groupJid, leave: true })
    assert.equal((await group('join-group', { inviteCode: code })).groupJid, groupJid)
  })

  it('changes the profile and privacy', async () => {
    const profile = (name: string, parameters: Json = {}) => run('profile-api', name, parameters)
    assert.equal((await profile('fetch-profile', { remoteJid: BEN })).numberExists, true)
    assert.equal((await profile('fetch-business-profile', { remoteJid: BEN })).isBusiness, false)
    assert.deepEqual(await profile('update-profile-name', { name: 'Ana Lima' }), { update: 'success' })
    assert.deepEqual(await profile('update-profile-status', { status: 'At work' }), { update: 'success' })
    const picture = (await png(640, 640)).toString('base64')
    assert.deepEqual(await profile('update-profile-picture', { picture }), { update: 'success' })
    assert.deepEqual(await profile('remove-profile-picture'), { update: 'success' })
    const wanted = {
      readreceipts: 'all',
      profile: 'contacts',
      status: 'all',
      online: 'all',
      last: 'contacts',
      groupadd: 'all',
    }
    assert.deepEqual((await profile('update-privacy-settings', wanted)).data, wanted)
    assert.deepEqual(await profile('fetch-privacy-settings'), wanted)
  })

  it('sets webhooks, Chatwoot and the proxy', async () => {
    const webhook = {
      enabled: true,
      webhookUrl: hook,
      webhookByEvents: true,
      webhookBase64: true,
      webhookEvents: ['MESSAGES_UPSERT'],
    }
    const set = await run('events-api', 'webhook', { resourceForWebhook: 'setWebhook', ...webhook })
    assert.deepEqual([set.url, set.webhookByEvents, set.webhookBase64], [hook, true, true])
    assert.equal((await run('events-api', 'webhook', { resourceForWebhook: 'findWebhook' })).enabled, true)
    const fields = {
      chatwootAccountId: String(chatwoot.account.id),
      chatwootToken: chatwoot.tokens.administrator,
      chatwootUrl: chatwoot.url,
      chatwootSignMsg: true,
      chatwootReopenConversation: true,
      chatwootConversationPending: false,
      chatwootNameInbox: String(chatwoot.inbox.id),
      chatwootAutoCreate: true,
      chatwootImportContacts: false,
      chatwootImportMessages: false,
    }
    const linked = await run('integrations-api', 'chatwoot', { resourceForChatwoot: 'setChatwoot', ...fields })
    assert.match(String(linked.webhook_url), /^http/)
    assert.equal((await run('integrations-api', 'chatwoot', { resourceForChatwoot: 'findChatwoot' })).signMsg, true)
    const proxy = {
      ...{ resourceForProxy: 'setProxy', proxyHost: '127.0.0.1', proxyPort: '1', proxyProtocol: 'http' },
      ...{ proxyUsername: 'ana', proxyPassword: 'secret' },
    }
    const none = await run('instances-api', 'set-proxy', { ...proxy, enabled: false })
    assert.equal(((none.proxy as Json).proxy as Json).enabled, false)
    await assert.rejects(run('instances-api', 'set-proxy', { ...proxy, enabled: true }), /Invalid proxy/)
  })

  it('makes, connects, changes and deletes instances', async () => {
    const instance = (name: string, parameters: Json = {}) =>
      run('instances-api', name, { instanceName: 'extra', ...parameters })
    const made = await instance('instance-basic', {
      token: 'the-key-of-extra',
      options_Create_instance: {
        instanceSettings: { settings: { rejectCall: true, msgCall: 'Please write' } },
        webhook: { webhookSettings: { webhookUrl: hook, webhookEvents: ['CALL'] } },
      },
    })
    assert.equal(made.hash, 'the-key-of-extra')
    assert.match(String((await instance('instance-connect')).base64), /^data:image\/png/)
    const flags = {
      rejectCall: false,
      groupsIgnore: false,
      alwaysOnline: false,
      readMessages: false,
      syncFullHistory: false,
      readStatus: false,
    }
    assert.equal(((await instance('instance-settings', flags)).settings as Json).instanceName, 'extra')
    assert.equal(
      (await run<Json[]>('instances-api', 'fetch-instances', { instanceName: 'extra' }))[0]?.token,
      'the-key-of-extra',
    )
    assert.deepEqual(await run('instances-api', 'set-presence', { presence: 'available' }), { presence: 'available' })
    await run('instances-api', 'restart-instance', {})
    assert.equal((await instance('logout-instance')).status, 'SUCCESS')
    assert.equal((await instance('delete-instance')).status, 'SUCCESS')
  })

  after(() => {
    const missing = node.operations.filter((name) => !done.has(name) && !LEFT_OUT.has(name))
    assert.deepEqual(missing, [], 'every operation of the node was run')
    assert.ok(ana.token !== '')
  })
}

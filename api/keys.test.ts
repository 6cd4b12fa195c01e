import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { loadSchemas } from '../schemas/schema-registry.js'
import { suiteCleanup } from '../test/support/cleanup.js'
import { type FakeNode, keys, startFakeNode } from '../test/support/fake-node.js'
import { goodBody } from '../test/support/wrong-fields.js'
import { hasMethodWithBody, type Route } from './route.js'
import { routes } from './routes.js'

// Written out: what a key may do must not grow because a route was declared so.
const READS = [
  ...[
    'findMessages',
    'downloadMessage',
    'tellQueue',
    'findChats',
    'tellChatDetails',
    'giveChatPicture',
    'listBlocked',
    'listLabels',
    'showChatNotes',
  ],
  ...['listContacts', 'listAllContacts', 'listGroups', 'tellGroup', 'listFunctions', 'listKnowledge', 'streamEvents'],
  ...['searchKnowledge', 'findGroups', 'listQuickReplies', 'showHealth', 'showLimits', 'listConnectionHistory'],
  ...['listSuppressions', 'checkSuppressions', 'listScheduled', 'campaignResults', 'listStatusViews'],
  ...['showBusinessProfile', 'listBusinessCategories', 'listCatalog', 'showProduct', 'showOrder'],
  ...['showMessageInfo', 'listMessageVotes', 'listMessageReactions', 'listEvents', 'exportParticipants'],
  ...['listLids', 'showNumberOfLid', 'showLidOfNumber'],
  ...['listChannels', 'showChannel', 'findChannel', 'searchChannels', 'listChannelPosts', 'listChannelUpdates'],
  ...[
    'listCampaigns',
    'showCampaign',
    'listCampaignMessages',
    'showCampaignCourse',
    'listRequests',
    'listAgents',
    'listTriggers',
    'listTurns',
    'showAgentUsage',
  ],
]
const SENDS = [
  ...['sendText', 'sendContact', 'sendLocation', 'sendMenu', 'sendCarousel', 'sendPixButton', 'sendMedia'],
  ...['sendLocationButton', 'sendRequestPayment', 'sendForward', 'sendEvent', 'pinMessage'],
  ...['makeCall', 'createCallLink', 'votePoll', 'keepMessage', 'sendProduct', 'sendAlbum'],
  ...['reactToMessage', 'editMessage', 'deleteMessage', 'markRead', 'showPresence', 'checkNumbers', 'readChat'],
  ...['editScheduled', 'cancelScheduled', 'sendStatus'],
  ...['createSimpleCampaign', 'createAdvancedCampaign', 'copyCampaign', 'editCampaign', 'importCampaign'],
]
/** Each key may call them; passes of a key have its rights. */
const ANY = ['openPass', 'openPassCode', 'showPass', 'endPass', 'showStatus']
/** Routes that a key of one chat may call: each names that chat, or messages in it. */
const OF_ONE_CHAT = [
  ...['findMessages', 'downloadMessage', 'tellChatDetails', 'giveChatPicture', 'showChatNotes'],
  ...['tellGroup', 'showMessageInfo'],
  ...['sendText', 'sendContact', 'sendLocation', 'sendMenu', 'sendCarousel', 'sendPixButton'],
  ...['sendMedia', 'sendLocationButton', 'sendRequestPayment', 'sendForward', 'sendEvent', 'pinMessage'],
  ...['makeCall', 'votePoll', 'keepMessage', 'sendProduct', 'sendAlbum', 'reactToMessage'],
  ...['editMessage', 'deleteMessage', 'markRead', 'showPresence', 'readChat'],
]
const BEN = '5511999990002'
const CAT = '5511999990003'

const registry = loadSchemas()
const ofInstances = routes.filter(({ auth }) => auth === 'instance' || auth === 'either')

describe('a key of an instance', () => {
  let node: FakeNode
  const cleanup = suiteCleanup()
  before(async () => {
    const limits = { perAddress: none, perToken: none, perInstance: none, failedTokensPerAddress: none }
    node = await startFakeNode(cleanup, { limits })
  })

  /** The code of a refusal, or none; a stream is not read. */
  async function readRefusal(route: Route, token: string, chat = BEN): Promise<string | undefined> {
    const schema =
      route.schema === undefined || !hasMethodWithBody(route) ? undefined : registry.part(route.schema, 'request')
    const body = schema === undefined ? {} : { ...(goodBody(schema, registry) as object), ...chooseChat(route, chat) }
    const answer = await fetch(node.url + route.path.replace(/:\w+/g, 'x'), {
      method: route.method,
      headers: { token, 'content-type': 'application/json' },
      ...(hasMethodWithBody(route) ? { body: JSON.stringify(body) } : {}),
    })
    if (answer.status !== 403) {
      await answer.body?.cancel()
      return undefined
    }
    return ((await answer.json()) as { code: string }).code
  }

  it('has a scope at every route of an instance', () => {
    assert.deepEqual(
      ofInstances.filter(({ scope }) => scope === undefined).map(({ name }) => name),
      [],
    )
    const named = (scope: string) => ofInstances.filter((route) => route.scope === scope).map(({ name }) => name)
    assert.deepEqual(named('read').sort(), READS.toSorted())
    assert.deepEqual(named('send').sort(), SENDS.toSorted())
    assert.deepEqual(named('any').sort(), ANY.toSorted())
  })

  for (const route of ofInstances)
    it(`may call ${route.name} only with what it declares, and else nothing is done`, async () => {
      const allowed: Record<keyof typeof keys, boolean> = {
        'key-that-reads': READS.includes(route.name),
        'key-that-sends': SENDS.includes(route.name),
        'key-of-one-chat': OF_ONE_CHAT.includes(route.name),
      }
      for (const [token, isAllowed] of Object.entries(allowed)) {
        node.touched.length = 0
        const refusal = await readRefusal(route, token)
        if (isAllowed || ANY.includes(route.name)) {
          // Of the messages that bodies name the fake knows none.
          assert.ok(refusal === undefined || (refusal === 'KEY_OTHER_CHAT' && token === 'key-of-one-chat'), token)
          continue
        }
        assert.match(String(refusal), /^KEY_(NOT_ENOUGH|OTHER_CHAT)$/, token)
        assert.deepEqual(node.touched, [])
      }
    })

  it('for one chat is refused wherever another one is named', async () => {
    const naming = ofInstances.filter(({ keyChat }) => keyChat?.chat !== undefined)
    assert.ok(naming.length > 10)
    for (const route of naming)
      assert.equal(await readRefusal(route, 'key-of-one-chat', CAT), 'KEY_OTHER_CHAT', route.name)
    assert.deepEqual(
      node.commands.filter((command) => 'number' in command && command.number === CAT),
      [],
    )
  })

  it('is not made with the scope change alone, which needs send', async () => {
    const make = (scopes: string[]) => node.call('/instance/keys', { json: { name: 'agent', scopes } })
    const { status, body } = await make(['read', 'change'])
    assert.deepEqual([status, body.error], [400, 'Invalid request: scopes must have send in addition to change.'])
    assert.equal((await make(['send', 'change'])).status, 200)
  })

  it('counts for the limit of its instance, together with the token', async () => {
    const limits = { perAddress: none, perToken: none, failedTokensPerAddress: none }
    const limited = await startFakeNode(cleanup, {
      limits: { ...limits, perInstance: { points: 3, durationMs: 60_000 } },
    })
    const asked: number[] = []
    for (const token of ['token-of-the-one-instance', ...Object.keys(keys)])
      asked.push((await limited.call('/instance/status', { headers: { token } })).status)
    assert.deepEqual(asked, [200, 200, 200, 429])
  })

  it('does not see the codes with which a phone is given to the instance', async () => {
    const pairing = await startFakeNode(cleanup, {}, { router: { ask: async () => pairingStatus as never } })
    const shown = async (token: string) =>
      (await pairing.call('/instance/status', { headers: { token } })).body.instance
    const { qrcodeText, qrcode, paircode } = (await shown('key-that-reads')) as Record<string, string>
    assert.deepEqual([qrcodeText, qrcode, paircode], ['', '', ''])
    assert.equal(((await shown('token-of-the-one-instance')) as Record<string, string>).paircode, 'ABCD-EFGH')
  })
})

const none = { points: 0, durationMs: 1_000 }

const pairingStatus = {
  ...{
    status: 'connecting',
    state: 'pairing',
    connected: false,
    loggedIn: false,
    jid: null,
    reason: null,
    health: null,
  },
  ...{ qrcodeText: '2@text', paircode: 'ABCD-EFGH' },
}

/** The field with which the route names a chat. */
function chooseChat({ keyChat }: Route, number: string): Record<string, string> {
  if (keyChat?.chat === undefined) return {}
  return { [keyChat.chat]: keyChat.chat === 'groupjid' && number === BEN ? `${BEN}@s.whatsapp.net` : number }
}

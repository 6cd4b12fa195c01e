import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { suiteCleanup } from '../support/cleanup.js'
import {
  askAnything,
  drainsNode,
  neverTaken,
  rotatesAdminToken,
  type Scene,
  startScene,
  textsComeBack,
} from './any-request.js'

const amount = { requests: 25, seed: Number(process.env.SEED ?? 1) }

// Imports come from other installations and programs, no phone demands a passkey, no Chatwoot is there, and the others would end what the
// rest is asked with.
const alone = [
  ...['answerPasskey', 'confirmPasskey', 'importInstance', 'importSession', 'rotateAdminToken', 'setChatwoot'],
]
// Campaigns are named by ids that their creation answers, and what a message of one needs depends on its type.
const ofCampaigns = [
  ...['campaignResults', 'copyCampaign', 'createAdvancedCampaign', 'createSimpleCampaign', 'editCampaign'],
  ...['importCampaign', 'listCampaignMessages', 'showCampaign', 'showCampaignCourse'],
]
// No job runs that could be cancelled, messages of no chat disappear for sure, no turn of an agent has failed, nobody has ordered, and there is no webhook with deliveries. A change of many instances takes ids or a filter, and tags
// with one action only.
const noneThere = ['cancelJob', 'keepMessage', 'retryTurn', 'showDelivery', 'showGlobalDelivery', 'showOrder']
// They need another administrator, an invitation or a post of the account.
const ofChannels = [
  ...['acceptChannelAdmin', 'deleteChannelPost', 'editChannelPost', 'removeChannelAdmin', 'revokeChannelInvite'],
  'transferChannel',
]
const apart = [...alone, ...ofCampaigns, ...ofChannels, ...noneThere, 'changeInstances'].toSorted()

describe('any request', () => {
  const cleanup = suiteCleanup()
  let scene: Scene
  before(async () => {
    scene = await startScene(cleanup)
  })

  it('is answered as the document says, and never with an internal error', async (t) => {
    t.diagnostic(`seed ${amount.seed}`)
    assert.deepEqual(await askAnything(scene, amount, [...apart, 'drainNode']), [])
  })

  it('is accepted for every operation when it is valid', async () => {
    assert.deepEqual(neverTaken(scene).toSorted(), [...apart, 'drainNode'].toSorted())
    await rotatesAdminToken(scene)
    await drainsNode(scene)
    assert.deepEqual(neverTaken(scene).toSorted(), apart)
  })

  it('keeps its texts unchanged, and searches find them', () => textsComeBack(scene, amount))

  it('never becomes part of an SQL statement', async () => {
    assert.deepEqual(await scene.canary(), ['alive'])
    assert.deepEqual(scene.badStatements(), [])
  })
})

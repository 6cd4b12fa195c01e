import { describe, it } from 'node:test'
import { coreSubsetWorks, NETWORK_FAULTS } from './core-subset.js'
import { chooseSeed, seededRandom } from './random.js'

const titles = {
  passkey: 'demands a passkey at pairing',
  presence: 'withholds presence',
  limits: 'forbids new chats',
  version: 'refuses the version of the client amid the traffic',
} as const

describe('pairing, sends, receives, groups and a restart work, and nothing is lost or doubled, when the network', () => {
  for (const fault of NETWORK_FAULTS)
    it(titles[fault], (t) => coreSubsetWorks(t, { faults: [fault], random: seededRandom(chooseSeed(t)) }))
})

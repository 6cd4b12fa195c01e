/**
 * Queries of WhatsApp's GraphQL service (`w:mex`), which knows each by a number. Numbers belong to a build of a web client and are retired one
 * day: the network then answers 400 and gives no reason. `WA_QUERY_IDS` replaces any of them without a release.
 *
 * Sources: `spec/mex` of zapo 1.8.0 (WhatsApp Web 2.3000.1043028647), `Types/Mex.js` of Baileys 7.0.0-rc14, `newsletter.go` and `user.go` of
 * whatsmeow, `WAWebMexGetUsernameJobQuery` of WhatsApp Web.
 */
export interface NetworkQuery {
  readonly id: string
  /** Changes something, so that it is never asked twice. */
  readonly isChange?: true
  /** Variables that this number wants beside those of the operation. */
  readonly variables?: Readonly<Record<string, unknown>>
  /** An older number, asked once after a 400. Never of a change. */
  readonly fallback?: { readonly id: string; readonly variables?: Readonly<Record<string, unknown>> }
}

const NO_STATUS = { fetch_status_metadata: false }
const OF_CHANNELS = { fetch_wamo_sub: false, ...NO_STATUS }
const CHANGE = true

export const NETWORK_QUERIES = {
  businessCategories: { id: '26266473919627648' },
  messageCapping: { id: '24503548349331633' },
  ownUsername: { id: '25347099718279209' },
  reachoutTimelock: { id: '23983697327930364' },
  updateTextStatus: { id: '9152604461510864' },
  channelInfo: {
    id: '27456920720571478',
    variables: { ...OF_CHANNELS, fetch_pinned_messages: false },
    fallback: { id: '6563316087068696' },
  },
  channelsFollowed: { id: '25399611239711790', variables: OF_CHANNELS, fallback: { id: '6388546374527196' } },
  channelSearch: { id: '26301059626252132', variables: NO_STATUS },
  channelDirectory: { id: '26125047313831973', variables: NO_STATUS },
  channelsRecommended: { id: '25806748772361516', variables: NO_STATUS },
  createChannel: { id: '25149874324715067', isChange: CHANGE },
  updateChannel: { id: '24250201037901610', isChange: CHANGE },
  deleteChannel: { id: '30062808666639665', isChange: CHANGE },
  followChannel: { id: '24404358912487870', isChange: CHANGE },
  unfollowChannel: { id: '9767147403369991', isChange: CHANGE },
  muteChannel: { id: '31938993655691868', isChange: CHANGE },
  inviteChannelAdmin: { id: '9387141988078609', isChange: CHANGE },
  acceptChannelAdmin: { id: '9580828702035549', isChange: CHANGE },
  revokeChannelInvite: { id: '9656078347839416', isChange: CHANGE },
  demoteChannelAdmin: { id: '9880997548630971', isChange: CHANGE },
  transferChannel: { id: '9546742745432473', isChange: CHANGE },
} as const satisfies Readonly<Record<string, NetworkQuery>>

export type NetworkQueryName = keyof typeof NETWORK_QUERIES

export function isNetworkQuery(name: string): name is NetworkQueryName {
  return Object.hasOwn(NETWORK_QUERIES, name)
}

/** Lists the operations of an instance, and derives types from them. */
import { agentOperations } from './agents/index.js'
import { businessOperations } from './business/index.js'
import { callOperations } from './calls/index.js'
import { campaignOperations } from './campaigns/index.js'
import { channelOperations } from './channels/index.js'
import { chatOperations } from './chats/index.js'
import { communityOperations } from './communities/index.js'
import { contactOperations } from './contacts/index.js'
import { groupOperations } from './groups/index.js'
import { labelOperations } from './labels/index.js'
import { messageOperations } from './messages/index.js'
import type { AnyOperation, CommandOf, RepliesOf } from './operation.js'
import { profileOperations } from './profile/index.js'
import { quickReplyOperations } from './quick-replies/index.js'
import { sendOperations } from './sends/index.js'
import { sessionOperations } from './session/index.js'
import { suppressionOperations } from './suppression/index.js'

/** By their feature. */
const operations = {
  agent: agentOperations,
  business: businessOperations,
  call: callOperations,
  campaign: campaignOperations,
  channel: channelOperations,
  chat: chatOperations,
  community: communityOperations,
  contact: contactOperations,
  group: groupOperations,
  label: labelOperations,
  message: messageOperations,
  profile: profileOperations,
  'quick reply': quickReplyOperations,
  send: sendOperations,
  instance: sessionOperations,
  suppression: suppressionOperations,
} as const

type EachOperation = (typeof operations)[keyof typeof operations][number]

export type Command = CommandOf<EachOperation>
export type ReplyOf = RepliesOf<EachOperation>

const byType: ReadonlyMap<string, { readonly operation: AnyOperation; readonly feature: string }> = new Map(
  Object.entries(operations).flatMap(([feature, all]) =>
    all.map((operation) => [operation.type, { operation, feature }]),
  ),
)

/** Returns undefined for a type that this release does not know. */
export function findOperation(type: string): AnyOperation | undefined {
  return byType.get(type)?.operation
}

/** Returns the feature to which an operation belongs, as the time of the main thread is shown by it. */
export function findFeature(type: string): string {
  return byType.get(type)?.feature ?? ''
}

/** Facts about operations that the router needs. */
export interface RepeatRules {
  /** Returns the command to repeat if its owner was lost and nobody knows whether it was carried out; null if it must not be repeated. */
  findRepeat(command: Command): Command | null
  /** Returns the milliseconds for which the command itself asks its owner to wait before it acts. */
  getWaitMs(command: Command): number
}

export const repeatRules: RepeatRules = {
  findRepeat(command) {
    const repeat = findOperation(command.type)?.repeat ?? false
    if (typeof repeat === 'boolean') return repeat ? command : null
    const { type, ...fields } = command
    const repeated = repeat(fields) as object | null
    return repeated === null ? null : ({ type, ...repeated } as Command)
  },
  getWaitMs: (command) => findOperation(command.type)?.waitMs?.(command) ?? 0,
}

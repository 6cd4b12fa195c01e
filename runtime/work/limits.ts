/** The kinds of work in which instances have fair shares, and the bounds of each. */
import type { WorkLimits } from './work-line.js'

export const WORK_LIMITS = {
  /** Files of messages from the network. Each may keep a connection and some hundred kilobytes. */
  download: { atOnce: 8, openMax: 128, keptForOthers: 32, ownerMax: 6, ownerWaitingMax: 500 },
  /** Runs of ffmpeg, which take a processor each. */
  convert: { atOnce: 3, keptForOthers: 1, ownerMax: 2, ownerWaitingMax: 100 },
  /** Pictures that are decoded: each may take 150 MB while it works, 300 when it is made another. */
  picture: { atOnce: 3, keptForOthers: 1, ownerMax: 2, ownerWaitingMax: 200 },
  /** Files whose text is read, in a thread each. */
  extract: { atOnce: 2, ownerMax: 1, ownerWaitingMax: 100 },
  /** Pictures and documents in the memory of turns of agents. */
  agent_file: { atOnce: 16, openMax: 64, keptForOthers: 16, ownerMax: 2, ownerWaitingMax: 50 },
  /** Pages and pictures of links, up to 6 MB each. FETCHES_PER_INSTANCE_MAX replaces `ownerMax`. */
  preview: { atOnce: 32, openMax: 96, keptForOthers: 32, ownerMax: 4, ownerWaitingMax: 100 },
  /** Files in memory on their way to Chatwoot, up to 40 MB each. */
  chatwoot_file: { atOnce: 8, openMax: 10, keptForOthers: 6, ownerMax: 2, ownerWaitingMax: 1_000 },
  /** Looks for replies that Chatwoot could not bring, one of an instance. Nearly all of their time is that of Chatwoot. */
  chatwoot_look: { atOnce: 32, openMax: 256, ownerMax: 1, ownerWaitingMax: 1 },
  /** Conversations whose replies are sent. Much of their time is that of Chatwoot. */
  chatwoot_reply: { atOnce: 64, openMax: 256, keptForOthers: 128, ownerMax: 8, ownerWaitingMax: 10_000 },
  /** Lists of recipients that are read. A dry run of the longest one takes 32 MiB. */
  recipient_list: { atOnce: 8, keptForOthers: 2, ownerMax: 4, ownerWaitingMax: 20 },
} as const satisfies Readonly<Record<string, WorkLimits>>

export type SharedWorkKind = keyof typeof WORK_LIMITS

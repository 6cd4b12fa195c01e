import { setup } from 'xstate'
import { type ChatAddress, toChatId } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import { partsIn, type ShownPresence } from './machine-events.js'

export interface PresenceInput {
  readonly chat: ChatAddress
  readonly kind: Exclude<PresenceKind, 'paused'>
  readonly durationMs: number
  readonly refreshMs: number
}

/** The network forgets a typing indicator after a while, so it is shown again until its time is over or a message ends it. */
export const presenceMachine = setup({
  types: {
    input: {} as PresenceInput,
    context: {} as PresenceInput,
    events: {} as { type: 'pause' } | { type: 'cancel' },
  },
  actions: {
    show: ({ system }, shown: ShownPresence) => partsIn(system).show(shown),
  },
  delays: { duration: ({ context }) => context.durationMs, refresh: ({ context }) => context.refreshMs },
}).createMachine({
  id: 'presence',
  context: ({ input }) => input,
  initial: 'active',
  states: {
    active: {
      initial: 'shown',
      states: {
        shown: {
          entry: { type: 'show', params: ({ context: { chat, kind } }) => ({ chat, kind }) },
          after: { refresh: { target: 'shown', reenter: true } },
        },
      },
      after: { duration: 'paused' },
      on: {
        pause: 'paused',
        // A message to the chat ends the indicator by itself.
        cancel: 'ended',
      },
    },
    paused: {
      entry: { type: 'show', params: ({ context: { chat } }) => ({ chat, kind: 'paused' as const }) },
      always: 'ended',
    },
    ended: { type: 'final' },
  },
})

const PREFIX = 'presence:'

/** Names the actor that shows the indicator of a chat. */
export function nameIndicator(chat: ChatAddress): string {
  return PREFIX + toChatId(chat)
}

/** Returns the name of the actor that shows an indicator in this chat, under whichever of its addresses it was started. */
export function findIndicator(children: object, { group, pn, lid }: ChatAddress): string | undefined {
  for (const jid of [group, pn, lid]) if (jid !== undefined && PREFIX + jid in children) return PREFIX + jid
  return undefined
}

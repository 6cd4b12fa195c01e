import { setup } from 'xstate'
import type { ChatAddress } from '../../schemas/jid.js'
import type { PresenceKind } from '../../schemas/presence-kind.js'
import { partsIn } from './machine-parts.js'

export interface PresenceInput {
  readonly chat: ChatAddress
  readonly kind: Exclude<PresenceKind, 'paused'>
  readonly durationMs: number
  readonly refreshMs: number
}

export interface ShownPresence {
  readonly chat: ChatAddress
  readonly kind: PresenceKind
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

import { setup } from 'xstate'
import type { PresenceKind } from '../../schemas/presence-kind.js'

export interface PresenceInput {
  readonly kind: Exclude<PresenceKind, 'paused'>
  readonly durationMs: number
  readonly refreshMs: number
  readonly show: (kind: PresenceKind) => void
}

/** The network forgets a typing indicator after a while, so it is shown again until its time is over or a message ends it. */
export const presenceMachine = setup({
  types: {
    input: {} as PresenceInput,
    context: {} as PresenceInput,
    events: {} as { type: 'pause' } | { type: 'cancel' },
  },
  actions: {
    show: ({ context }) => context.show(context.kind),
    pause: ({ context }) => context.show('paused'),
  },
  delays: { duration: ({ context }) => context.durationMs, refresh: ({ context }) => context.refreshMs },
}).createMachine({
  id: 'presence',
  context: ({ input }) => input,
  initial: 'active',
  states: {
    active: {
      initial: 'shown',
      states: { shown: { entry: 'show', after: { refresh: { target: 'shown', reenter: true } } } },
      after: { duration: { target: 'ended', actions: 'pause' } },
      on: {
        pause: { target: 'ended', actions: 'pause' },
        // A message to the chat ends the indicator by itself.
        cancel: 'ended',
      },
    },
    ended: { type: 'final' },
  },
})

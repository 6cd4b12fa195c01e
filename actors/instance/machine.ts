import {
  assign,
  type DoneActorEvent,
  emit,
  enqueueActions,
  fromCallback,
  fromPromise,
  not,
  setup,
  stateIn,
  stopChild,
} from 'xstate'
import { backOffMs } from '../../lib/back-off.js'
import { describeEnding, reactions } from '../network/disconnects.js'
import type { DisconnectCause } from '../network/port/events.js'
import type { ConnectionInput, InstanceEvent, InstanceInput, InstanceNotice, InstanceState } from './machine-events.js'
import { partsIn, type ShownPresence } from './machine-events.js'
import { findIndicator, nameIndicator, presenceMachine } from './presence.js'

/** Returns true if nothing changes within a minute after this cause: another program connects as this device, or the network refuses us. */
function isSlowCause(cause: DisconnectCause | null): boolean {
  switch (cause) {
    case 'replaced':
    case 'versionRefused':
    case 'clientRefused':
    case 'loginNotFound':
    case 'loginRefused':
    case 'temporarilyBanned':
      return true
    default:
      return false
  }
}

/** Maximum time without an attempt, whatever the network says. The next refusal contains the time that is left. */
const WAIT_MAX_MS = 24 * 60 * 60_000
/** Minimum time that is waited when the network names one, so that a ban of no time at all is not tried again and again. */
const WAIT_MIN_MS = 5_000

const NO_CODES = { qrcodeText: null, qrEndsAtMs: null, paircode: null, passkey: null }
const NO_PAIRING = { ...NO_CODES, pairing: null, pairingEndsAtMs: null }

/** Why a pairing ended by itself. */
interface Expiry {
  readonly cause: 'pairingExpired' | 'passkeyExpired'
  readonly reason: string
}

/** Makes the transition of a pairing whose time is up. */
function expiry({ cause, ...rest }: { cause: Expiry['cause']; detail?: string }) {
  const params = { cause, reason: describeEnding({ cause, code: 0, ...rest }) }
  return {
    target: '#instance.session.disconnected',
    actions: [
      { type: 'noteExpired' as const, params },
      { type: 'emitExpired' as const, params },
    ],
  }
}

/** A connection that ends holds the only copy of the keys of the ceremony, so it cannot go on over another one. */
const CEREMONY_LOST = {
  guard: 'losesCeremony' as const,
  target: '#instance.session.disconnected',
  actions: ['noteCeremonyLost' as const, 'forgetPairing' as const, 'emitStopped' as const],
}

/** Starts the time of the next step of a pairing with a passkey. */
function nextStep({ context: { passkey, timing } }: { context: InstanceState }) {
  return { passkey: passkey && { ...passkey, code: null, untilMs: Date.now() + timing.passkeyStepMs } }
}

function pairingWindowMs(pairing: InstanceState['pairing'], timing: InstanceState['timing']): number {
  return pairing?.by === 'code' ? timing.pairingCodeWindowMs : timing.qrWindowMs
}

/** Returns true if the gateway itself ended the connection. */
function isOurs(cause: DisconnectCause): boolean {
  return cause === 'storeFailed' || cause === 'programError'
}

export const instanceMachine = setup({
  types: {
    input: {} as InstanceInput,
    context: {} as InstanceState,
    events: {} as InstanceEvent,
    emitted: {} as InstanceNotice,
    tags: {} as 'disconnected' | 'connecting' | 'connected',
  },
  actors: {
    /** Holds the connection, whose events arrive as `network.*`. */
    connection: fromCallback<InstanceEvent, ConnectionInput>(({ input, sendBack, system }) =>
      partsIn(system).hold(input, sendBack),
    ),
    /** Shows one typing or recording indicator. */
    presence: presenceMachine,
    /** Ends when the network has answered all messages that were handed to it. */
    answers: fromPromise<void>(({ system }) => partsIn(system).answered()),
  },
  actions: {
    forgetAttempts: assign({ attempt: 0, delayMs: 0 }),
    noteConnected: assign({
      cause: null,
      code: 0,
      reason: null,
      ...NO_PAIRING,
    }),
    /**
     * Draws the delay of the next attempt: between nothing and a ceiling that doubles, so that many instances that were lost together do
     * not reconnect together.
     */
    countAttempt: assign(({ context, system }) => {
      const { reconnectMinMs, reconnectMaxMs, replacedDelayMs } = context.timing
      const ceilingMs = backOffMs(context.attempt, reconnectMinMs, reconnectMaxMs)
      const jittered = Math.round(ceilingMs * partsIn(system).random())
      const delayMs =
        context.waitMs > 0
          ? waitAsTold(context.waitMs, jittered)
          : (isSlowCause(context.cause) ? replacedDelayMs : 0) + jittered
      return { attempt: context.attempt + 1, delayMs, nextAttemptAtMs: Date.now() + delayMs }
    }),
    noteClosed: assign(({ event, context }) => {
      if (event.type !== 'network.closed') return {}
      return {
        cause: event.cause,
        code: event.code,
        waitMs: event.waitMs ?? 0,
        reason: describeEnding({ ...event, isPairing: context.pairing !== null }),
        jid: null,
        ...NO_CODES,
      }
    }),
    /** Notes the end of a connection that held the keys of a pairing with a passkey. */
    noteCeremonyLost: assign(({ event }) => {
      if (event.type !== 'network.closed') return {}
      const { code, message } = event
      const detail = `the connection ended in the middle of it: ${message}`
      return { cause: 'passkeyFailed' as const, code, reason: describeEnding({ cause: 'passkeyFailed', code, detail }) }
    }),
    /** After `noteClosed`. */
    emitStopped: emit(({ context }) => {
      const cause = context.cause ?? 'asked'
      const { forgetCredentials, sentence } = reactions[cause]
      return { type: 'stopped' as const, cause, reason: context.reason ?? sentence, forgetCredentials }
    }),
    /** After `noteClosed`. */
    emitLost: emit(({ context }) => {
      const cause = context.cause ?? 'lost'
      return { type: 'lost' as const, cause, reason: context.reason ?? reactions[cause].sentence }
    }),
    /** Notes that a pairing ended because its time was up. `emitExpired` follows. */
    noteExpired: assign((_, { cause, reason }: Expiry) => ({ cause, code: 0, reason, ...NO_PAIRING })),
    emitExpired: emit((_, { cause, reason }: Expiry) => ({
      type: 'stopped' as const,
      cause,
      reason,
      forgetCredentials: true,
    })),
    /** Notes a QR, which ends with the pairing at the latest. */
    noteQr: assign(({ event, context: { pairingEndsAtMs } }) => {
      if (event.type !== 'network.qr') return {}
      const qrEndsAtMs = Math.min(Date.now() + event.lastsMs, pairingEndsAtMs ?? Number.POSITIVE_INFINITY)
      return { qrcodeText: event.text, qrEndsAtMs }
    }),
    /** Notes that a command ended the connection. */
    noteEnded: assign((_, { cause }: { cause: 'asked' | 'stopped' }) => ({
      ...{ cause, code: 0, reason: reactions[cause].sentence },
      ...{ jid: null, attempt: 0 },
    })),
    forgetPairing: assign(NO_PAIRING),
    showPresence: ({ system }, shown: ShownPresence) => partsIn(system).show(shown),
  },
  guards: {
    isOffline: not(stateIn({ session: { online: 'connected' } })),
    wantsPairing: ({ event }) => event.type === 'command.connect' && event.pairing !== null,
    losesCeremony: ({ event }) =>
      event.type === 'network.closed' && reactions[event.cause].next !== 'stop' && !isOurs(event.cause),
    needsNoCode: ({ event }) => event.type === 'network.passkeyCode' && event.code === null,
    isRestart: ({ event }) => event.type === 'network.closed' && reactions[event.cause].next === 'now',
    reconnects: ({ event }) => event.type === 'network.closed' && reactions[event.cause].next === 'backOff',
  },
  delays: {
    passkeyChallenge: ({ context }) => context.passkey?.lastsMs ?? 0,
    passkeyStep: ({ context }) => context.timing.passkeyStepMs,
    finishWindow: ({ context }) => context.finishMs,
    reconnectDelay: ({ context }) => context.delayMs,
    stable: ({ context }) => context.timing.stableMs,
    pairingWindow: ({ context }) => pairingWindowMs(context.pairing, context.timing),
  },
}).createMachine({
  id: 'instance',
  context: ({ input }) => ({
    instanceId: input.instanceId,
    timing: input.timing,
    delayMs: 0,
    waitMs: 0,
    attempt: 0,
    nextAttemptAtMs: 0,
    ...NO_PAIRING,
    jid: null,
    cause: null,
    code: 0,
    reason: null,
    finishMs: 0,
  }),
  type: 'parallel',
  states: {
    session: {
      initial: 'disconnected',
      states: {
        disconnected: {
          tags: 'disconnected',
          description: 'No socket, and none is wanted until a command asks for one.',
        },
        pairing: {
          tags: 'connecting',
          description: 'An unpaired socket offers a QR or a code. Closing in it never starts the reconnect policy.',
          entry: assign(({ event, context: { timing } }) => {
            if (event.type !== 'command.connect') return {}
            const { pairing } = event
            const pairingEndsAtMs = Date.now() + pairingWindowMs(pairing, timing)
            return { ...NO_PAIRING, pairing, pairingEndsAtMs, cause: null, code: 0, reason: null }
          }),
          invoke: { src: 'connection', input: ({ context }) => ({ pairing: context.pairing, isAwaited: true }) },
          initial: 'offering',
          states: {
            offering: {
              after: { pairingWindow: expiry({ cause: 'pairingExpired' }) },
              on: {
                'network.qr': { actions: 'noteQr' },
                'network.code': { actions: assign({ paircode: ({ event }) => event.code }) },
              },
            },
            needs_passkey: {
              description: 'WhatsApp asks for a passkey. A person signs its challenge on a page of whatsapp.com.',
              after: { passkeyChallenge: expiry({ cause: 'passkeyExpired', detail: 'nobody signed the challenge' }) },
              on: {
                'command.passkey': { target: 'passkey_sent', actions: assign(nextStep) },
                'network.closed': CEREMONY_LOST,
              },
            },
            passkey_sent: {
              description: 'WhatsApp has the signature, and the phone is to answer.',
              after: {
                passkeyStep: expiry({
                  cause: 'passkeyExpired',
                  detail:
                    'WhatsApp took the signature and the phone did not continue; keep WhatsApp open on the phone. Some accounts of WhatsApp Business get no further at present',
                }),
              },
              on: {
                'network.passkeyCode': [
                  { guard: 'needsNoCode', target: 'confirming', actions: assign(nextStep) },
                  {
                    target: 'passkey_code',
                    actions: assign(({ context, event }) => {
                      const { passkey } = nextStep({ context })
                      return { passkey: passkey && { ...passkey, code: event.code } }
                    }),
                  },
                ],
                'network.closed': CEREMONY_LOST,
              },
            },
            passkey_code: {
              description: 'A person compares the code with the one on the phone.',
              after: { passkeyStep: expiry({ cause: 'passkeyExpired', detail: 'nobody confirmed the code' }) },
              on: {
                'command.confirmPasskey': { target: 'confirming', actions: assign(nextStep) },
                'network.closed': CEREMONY_LOST,
              },
            },
            confirming: {
              description: 'The phone links the device. A restart that WhatsApp asks for is its success.',
              after: {
                passkeyStep: expiry({
                  cause: 'passkeyExpired',
                  detail: 'the phone did not finish it; keep WhatsApp open on the phone',
                }),
              },
            },
          },
          on: {
            'network.passkey': {
              target: '.needs_passkey',
              actions: assign(({ event: { publicKey, lastsMs } }) => ({
                ...NO_CODES,
                passkey: { publicKey, lastsMs, code: null, untilMs: Date.now() + lastsMs },
              })),
            },
            'network.closed': [
              // 515: paired; the phone expects us back at once with the new credentials.
              { guard: 'isRestart', target: 'online', actions: 'forgetPairing' },
              { target: 'disconnected', actions: ['noteClosed', 'forgetPairing', 'emitStopped'] },
            ],
          },
        },
        online: {
          description: 'A paired socket is held; it lives exactly as long as this state.',
          invoke: { src: 'connection', input: ({ event }) => ({ pairing: null, isAwaited: isAwaited(event) }) },
          initial: 'opening',
          states: {
            opening: { tags: 'connecting', on: { 'network.opened': 'connected' } },
            connected: {
              tags: 'connected',
              entry: [
                'noteConnected',
                assign({ jid: ({ event, context }) => (event.type === 'network.opened' ? event.jid : context.jid) }),
              ],
              after: { stable: { actions: 'forgetAttempts' } },
            },
          },
          on: {
            'network.closed': [
              { guard: 'isRestart', target: 'online', reenter: true },
              { guard: 'reconnects', target: 'waiting', actions: ['noteClosed', 'emitLost'] },
              { target: 'disconnected', actions: ['noteClosed', 'emitStopped'] },
            ],
            'command.reset': { target: 'online', reenter: true },
          },
        },
        waiting: {
          tags: 'connecting',
          description: 'The connection was lost and comes back after a jittered delay.',
          entry: 'countAttempt',
          after: { reconnectDelay: 'online' },
          on: {
            'command.reset': 'online',
            'version.changed': { guard: ({ context }) => context.cause === 'versionRefused', target: 'online' },
          },
        },
      },
      on: {
        'command.connect': [
          { guard: 'wantsPairing', target: '.pairing' },
          { guard: ({ context }) => context.jid === null, target: '.online' },
        ],
        'command.resume': { target: '.online' },
        'command.disconnect': {
          target: '.disconnected',
          actions: [{ type: 'noteEnded', params: { cause: 'asked' } }, 'forgetPairing'],
        },
        'command.stop': {
          target: '.disconnected',
          actions: [{ type: 'noteEnded', params: { cause: 'stopped' } }, 'forgetPairing'],
        },
      },
    },
    life: {
      initial: 'running',
      states: {
        running: {},
        finishing: {
          description: 'Nothing new begins; messages that are on their way get a moment to be answered.',
          invoke: { src: 'answers', onDone: 'quiet' },
          after: { finishWindow: 'quiet' },
          always: { guard: 'isOffline', target: 'quiet' },
        },
        quiet: { description: 'Nothing is on its way, or its time is up. The actor is stopped next.' },
      },
      on: {
        'command.finish': { target: '.finishing', actions: assign({ finishMs: ({ event }) => event.withinMs }) },
      },
    },
  },
  on: {
    'presence.start': {
      actions: enqueueActions(({ context: { timing }, event: { chat, kind, durationMs }, self, enqueue }) => {
        const former = findIndicator(self.getSnapshot().children, chat)
        if (former !== undefined) enqueue.stopChild(former)
        enqueue.spawnChild('presence', {
          id: nameIndicator(chat),
          input: {
            chat,
            kind,
            durationMs: Math.min(durationMs, timing.presenceMaxMs),
            refreshMs: timing.presenceRefreshMs,
          },
        })
      }),
    },
    'presence.pause': {
      actions: enqueueActions(({ event: { chat }, self, enqueue }) => {
        const name = findIndicator(self.getSnapshot().children, chat)
        if (name === undefined) enqueue({ type: 'showPresence', params: { chat, kind: 'paused' } })
        else enqueue.sendTo(name, { type: 'pause' })
      }),
    },
    'presence.cancel': {
      actions: enqueueActions(({ event: { chat }, self, enqueue }) => {
        const name = findIndicator(self.getSnapshot().children, chat)
        if (name !== undefined) enqueue.sendTo(name, { type: 'cancel' })
      }),
    },
    'xstate.done.actor.*': { actions: stopChild(({ event }) => (event as unknown as DoneActorEvent).actorId) },
  },
})

/** Returns the delay after a refusal that named a time. The jitter is at most a tenth of it. */
function waitAsTold(toldMs: number, jitterMs: number): number {
  const waitMs = Math.min(Math.max(toldMs, WAIT_MIN_MS), WAIT_MAX_MS)
  return waitMs + Math.min(jitterMs, Math.round(waitMs / 10))
}

/** Returns true if a caller waits for the login that this event causes, or the network expects it at once. */
function isAwaited(event: InstanceEvent): boolean {
  return event.type === 'command.connect' || event.type === 'command.reset' || event.type === 'network.closed'
}

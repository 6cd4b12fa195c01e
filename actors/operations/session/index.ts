import { limitsReport, NO_LIMITS } from '../../../schemas/account-limits.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { PacingReport } from '../../../schemas/pacing.js'
import type { AccountPresence } from '../../../schemas/presence-kind.js'
import type { ConnectRequest, LiveStatus, PasskeyAssertion, PasskeyStatus } from '../../../schemas/session.js'
import type { RecordingState } from '../../network/port/recordings.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

/** A connected instance, for the examples of operations. */
const exampleStatus: LiveStatus = {
  status: 'connected',
  state: 'connected',
  connected: true,
  loggedIn: true,
  jid: '5511999990001:1@s.whatsapp.net',
  qrcodeText: null,
  paircode: null,
  reason: null,
  health: null,
  route: { via: 'none', failure: null, sinceMs: null },
}

const examplePacing: PacingReport = {
  parked: 0,
  budget: { day: '2026-01-31', used: 0, left: null },
  nextSendAtMs: null,
  holds: [],
}

/** No pairing with a passkey, for the examples of operations. */
const examplePasskey: PasskeyStatus = { state: 'none', publicKey: null, untilMs: null, code: null }

/** Answers with the step of a pairing with a passkey. */
const passkey = operation('passkey', {
  // It changes nothing.
  repeat: true,
  example: examplePasskey,
  run: async ({ session }: InstanceContext): Promise<PasskeyStatus> => session.passkey.show(),
})

interface SetPresenceFields {
  readonly presence: AccountPresence
}

interface SetPresenceReply {
  /** False if it is shown at the next login, or once the account has a name. */
  readonly isShown: boolean
}

/** Changes the presence that the account shows, now and after each login. */
const setPresence = operation('setPresence', {
  repeat: true,
  example: { isShown: true } as SetPresenceReply,
  async run(
    { presenceWatch, journal, session }: InstanceContext,
    { presence }: SetPresenceFields,
  ): Promise<SetPresenceReply> {
    await journal.write([{ type: 'instance', set: { presence } }])
    presenceWatch.use(presence)
    if (!session.isConnected) return { isShown: false }
    try {
      await presenceWatch.show()
      return { isShown: true }
    } catch (error) {
      const isLater =
        error instanceof GatewayError &&
        ['PROFILE_NAME_UNKNOWN', 'INSTANCE_NOT_CONNECTED', 'INSTANCE_MOVING', 'NOT_LOGGED_IN'].includes(error.code)
      if (isLater) return { isShown: false }
      throw error
    }
  },
})

interface UpdateDelaysFields {
  readonly delayMinMs: number
  readonly delayMaxMs: number
  /** The number is in use since then, Unix milliseconds; null: since the pairing. Absent: as it was. */
  readonly inUseSinceMs?: number | null
}

interface UpdateDelaysReply {
  readonly delayMinMs: number
  readonly delayMaxMs: number
}

/** Changes the pause between two asynchronous sends, and the age of the number. */
const updateDelays = operation('updateDelays', {
  repeat: true,
  example: { delayMinMs: 1_000, delayMaxMs: 3_000 } as UpdateDelaysReply,
  async run(
    { journal, pacer }: InstanceContext,
    { delayMinMs, delayMaxMs, inUseSinceMs }: UpdateDelaysFields,
  ): Promise<UpdateDelaysReply> {
    const set = { delayMinMs, delayMaxMs, ...(inUseSinceMs === undefined ? {} : { inUseSinceMs }) }
    // The empty change of the instance lets nodes that remember its row read it again.
    await journal.write([
      { type: 'pacing', set },
      { type: 'instance', set: {} },
    ])
    await pacer.use(set)
    return { delayMinMs, delayMaxMs }
  },
})

const idle = {
  status: 'idle',
  pending: 0,
  processingNow: false,
  acceptingNewMessages: true,
  sessionReady: false,
  resetting: false,
} as const

/** Answers with the health of the instance: its connection, its last signs of life, its queue and the network's restrictions. */
const health = operation('health', {
  repeat: true,
  example: {
    live: exampleStatus,
    seen: { cause: null, sinceMs: 1, lastInboundAtMs: null, lastAckAtMs: null, lastDecryptErrorAtMs: null },
    queue: idle,
    limits: limitsReport(NO_LIMITS, 1),
    pacing: examplePacing,
    node: 'posthorn-1',
  },
  async run({ session, sends, limits, pacer, health: seen, node }: InstanceContext) {
    const [queue, known, pacing] = await Promise.all([sends.queueStatus(), limits.known(), pacer.report()])
    const report = limitsReport(known, Date.now())
    return { live: session.live(), seen: seen.report(), queue, limits: report, pacing, node }
  },
})

/** Starts to pair or to connect. Answers when there is a QR, a code or a connection, or after `waitMs`. */
const connect = operation('connect', {
  // The second command finds the pairing or the connection begun.
  repeat: true,
  waitMs: ({ waitMs }) => waitMs,
  example: exampleStatus,
  async run({ session, journal, pacer }: InstanceContext, command: ConnectRequest): Promise<LiveStatus> {
    const { inUseSinceMs } = command
    if (inUseSinceMs === undefined) return await session.connect(command)
    // Stored before the pairing begins: another node may own the instance when the phone scans.
    const offered = { offeredSinceMs: inUseSinceMs }
    await journal.write([{ type: 'pacing', set: offered }])
    await pacer.use(offered)
    const live = await session.connect(command)
    if (!live.loggedIn) return live
    // It was paired before.
    const set = { inUseSinceMs, offeredSinceMs: null }
    await journal.write([
      { type: 'pacing', set },
      { type: 'instance', set: {} },
    ])
    await pacer.use(set)
    return live
  },
})

/** Ends the connection and keeps the pairing. Only a command connects again. */
const stopInstance = operation('stopInstance', {
  // The second command finds the connection ended.
  repeat: true,
  example: exampleStatus,
  run: ({ session }: InstanceContext): Promise<LiveStatus> => session.stop(),
})

/**
 * Connects with the stored pairing. Answers when there is a connection, or after `waitMs`.
 * @throws GatewayError INSTANCE_NOT_PAIRED
 */
const startInstance = operation('startInstance', {
  // The second command finds the connection begun.
  repeat: true,
  waitMs: ({ waitMs }) => waitMs,
  example: exampleStatus,
  run: ({ session }: InstanceContext, { waitMs }: { readonly waitMs: number }): Promise<LiveStatus> =>
    session.start(waitMs),
})

/** Answers with the network's restrictions of the account. Asks the network unless it was asked within the last minute. */
const showLimits = operation('showLimits', {
  repeat: true,
  example: {
    report: limitsReport(NO_LIMITS, 1),
    isReachable: true,
    checkedAtMs: null,
    errors: {},
    pacing: examplePacing,
  },
  async run({ limits, pacer }: InstanceContext) {
    const { limits: known, isFresh, errors } = await limits.check()
    const pacing = await pacer.report()
    const report = limitsReport(known, Date.now())
    return { report, isReachable: isFresh, checkedAtMs: known.checkedAtMs, errors, pacing }
  },
})

/** Maximum time to wait for acknowledgements. The next owner sends messages again that have none by then. */
const FINISH_MS = 2_000

/** Ends the connection and the actor, and keeps the pairing. Nothing is sent or written after its answer. */
const pauseInstance = operation('pause', {
  // The second command finds the actor ended.
  repeat: true,
  endsActor: true,
  example: null,
  async run({ actor }: InstanceContext) {
    await actor.finish(FINISH_MS)
    await actor.stop(new GatewayError('OUTCOME_UNKNOWN'))
    return null
  },
})

interface AnswerPasskeyFields {
  readonly assertion: PasskeyAssertion
  readonly compareCode: boolean
}

/** Sends the signed challenge of a pairing with a passkey. */
const answerPasskey = operation('passkey.answer', {
  // A pairing ends with its owner. The next one finds none that waits for it.
  repeat: true,
  example: examplePasskey,
  run: ({ session }: InstanceContext, { assertion, compareCode }: AnswerPasskeyFields): Promise<PasskeyStatus> =>
    session.passkey.respond(assertion, compareCode),
})

/** Ends the session as `disconnect` does, then the actor. The caller deletes the rows. */
const deleteInstance = operation('delete', {
  // The second command finds the session ended.
  repeat: true,
  endsActor: true,
  example: null,
  async run({ session, actor }: InstanceContext) {
    await session.disconnect()
    await actor.stop(new GatewayError('INSTANCE_NOT_FOUND'))
    return null
  },
})

/** Answers with the live state of the instance. */
const status = operation('status', {
  // It changes nothing.
  repeat: true,
  example: exampleStatus,
  async run({ session, presenceWatch }: InstanceContext): Promise<LiveStatus> {
    const { known } = presenceWatch
    return { ...session.live(), ...(known === null ? {} : { presence: known }) }
  },
})

/** Starts or stops the recording of the stanzas of the instance. */
const recordStanzas = operation('recordStanzas', {
  // The second command finds the recording started, or stopped.
  repeat: true,
  example: { recording: true, node: 'n1', file: '/data/recordings/one.jsonl', stanzas: 0, bytes: 70 },
  run: (
    { id, recordings }: InstanceContext,
    { recording }: { readonly recording: boolean },
  ): Promise<RecordingState> => (recording ? recordings.start(id) : recordings.stop(id)),
})

/** Drops the socket and connects again with the same credentials. */
const reset = operation('reset', {
  // At worst there is one more login, and the caller wanted a new one.
  repeat: true,
  example: exampleStatus,
  run: async ({ session }: InstanceContext): Promise<LiveStatus> => session.reset(),
})

/** Makes the connection, or the pairing that is under way, again on the stored way to the network: its proxy has changed. */
const renewRoute = operation('renewRoute', {
  // At worst there is one more login.
  repeat: true,
  example: exampleStatus,
  run: async ({ session }: InstanceContext): Promise<LiveStatus> => session.renewRoute(),
})

/** Reads the latest recording of the stanzas of the instance. */
const readRecording = operation('readRecording', {
  // It changes nothing.
  repeat: true,
  example: { recording: false, node: 'n1', file: '/data/recordings/one.jsonl', stanzas: 0, bytes: 70, content: '' },
  run: ({ id, recordings }: InstanceContext): Promise<RecordingState & { readonly content: string }> =>
    recordings.read(id),
})

/** Ends the session: logs out when connected, and forgets the credentials. A new pairing is needed afterwards. */
const disconnect = operation('disconnect', {
  // The second command finds the session ended.
  repeat: true,
  example: exampleStatus,
  run: ({ session }: InstanceContext): Promise<LiveStatus> => session.disconnect(),
})

/** Says that a person has seen the same code on the phone. */
const confirmPasskey = operation('passkey.confirm', {
  // A pairing ends with its owner. The next one finds none that waits for it.
  repeat: true,
  example: examplePasskey,
  run: ({ session }: InstanceContext): Promise<PasskeyStatus> => session.passkey.confirm(),
})

export const sessionOperations = [
  connect,
  deleteInstance,
  disconnect,
  startInstance,
  stopInstance,
  pauseInstance,
  readRecording,
  recordStanzas,
  renewRoute,
  reset,
  status,
  passkey,
  answerPasskey,
  confirmPasskey,
  health,
  showLimits,
  setPresence,
  updateDelays,
] as const

/**
 * Commands to the node that owns the instance, wherever it is; while it moves or nobody owns it, they wait here.
 *
 * The calls of an instance that have not been answered stand in its line, in the order in which they came. A call is *parked* or it is
 * *asked* of an owner. Calls are asked as they come, side by side. But once one is parked, those behind it are too; and when the line
 * goes on, the next is asked only when the one before has its place with the owner, so that the order of a chat is kept over a move. A
 * call that is still with a former owner holds up those behind it until it comes back, or is given up a moment later.
 *
 * What may be asked a second time: always what surely was not begun; of what may have been begun only what the definition of its operation allows. The rest
 * of the argument that nothing is done twice is in `schemas/shard-moved.ts`.
 */
import { LRUCache } from 'lru-cache'
import type { Command, CommandRouter, ReplyOf } from '../../actors/instance/commands.js'
import type { RepeatRules } from '../../actors/operations/index.js'
import { type CallContext, nextSpan, traceparentFor } from '../../schemas/call-context.js'
import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, MessageId } from '../../schemas/ids.js'
import { ShardMoved } from '../../schemas/shard-moved.js'
import type { PeerClient, PeerOutcome } from './peers/client.js'
import type { Owner, PeerCommand, PeerReply } from './peers/protocol.js'

/** The table of owners as this node knows it. It costs no wait to ask. */
export interface RoutingTable {
  /**
   * This node is told as the owner only while its actors take commands: when the shard is active and those of its instances that should
   * be connected have been told so. Before that, and while it hands the shard over, the answer is `moving`. `none`: nobody lives who
   * owns it.
   */
  ownerOf(shard: number): Owner | 'moving' | 'none'
  /** Calls after each change of any answer of `ownerOf`; returns how to end that. */
  onChange(listener: () => void): () => void
}

/** The actors of this node. */
export interface LocalInstances {
  /** @throws ShardMoved, GatewayError NOT_OWNER when the shard left before the call was answered */
  ask(instance: InstanceId, command: Command, context: CallContext): Promise<ReplyOf[Command['type']]>
}

export interface RouterOptions {
  readonly table: RoutingTable
  /** This node's incarnation. */
  readonly self: string
  readonly local: LocalInstances
  readonly peers: Pick<PeerClient, 'call'>
  readonly shardOf: (instance: InstanceId) => number
  readonly rules: RepeatRules
  /** How long a call is parked at most. Default 15000. */
  readonly parkTimeoutMs?: number
  /** Calls parked at once, on this node and of one instance. Default 10000 and 1000. */
  readonly parkedMax?: number
  readonly parkedOfInstanceMax?: number
  /** How long an owner may take, besides what the command itself asks it to wait. Default 300000; the peers watch for silence. */
  readonly answerMaxMs?: number
  /** For so long a former owner may still answer what it was asked. Default 1000. */
  readonly graceMs?: number
  /** For metrics. */
  readonly observe?: RouterObserver
}

export interface RouterObserver {
  /** A call was answered, here or by another node. */
  readonly answered?: (where: 'here' | 'there', durationMs: number) => void
  /** A call has come back and waits to be asked again. */
  readonly returned?: (why: Returned) => void
  /** A parked call goes on, its time is up, or there was no room to park it. */
  readonly unparked?: (how: 'went on' | 'timed out' | 'no room', parkedMs: number) => void
}

export type Returned = 'moved' | 'busy' | 'lost'

export interface Router extends CommandRouter {
  /**
   * A command that another node sends here. It waits as one of our own does while the shard moves, and is told where it went.
   * @throws what the instance throws
   */
  serve(command: PeerCommand): Promise<PeerReply>
  counts(): { readonly parked: number; readonly unanswered: number }
  /** Parked calls are answered 503 at once, and so are those that come later. */
  close(): void
  /** The process ends at once: calls that an owner was asked are answered too, with OUTCOME_UNKNOWN unless they surely were not begun. */
  abandon(): void
}

interface Call {
  readonly line: Line
  /** Another node sent it for this epoch: it is carried out here and under no other epoch, or told where the shard is. */
  readonly servedEpoch: number | null
  readonly context: CallContext
  readonly startedMs: number
  readonly resolve: (reply: PeerReply) => void
  readonly reject: (error: unknown) => void
  command: Command
  asked: Asked | null
  /** It may have been carried out. */
  mayHaveHappened: boolean
  parkedSinceMs: number
  /** How much longer it may be parked. */
  parkLeftMs: number
  /** The last owner that was asked takes no more calls. */
  wasBusy: boolean
  parkTimer: NodeJS.Timeout | undefined
}

/** A call that an owner was asked. */
interface Asked {
  readonly incarnation: string
  readonly epoch: number
  /** It has its place with the owner, before whatever is asked after it. */
  hasPlace: boolean
  graceTimer: NodeJS.Timeout | undefined
  /** Waits no longer. */
  abort: () => void
}

/** What became of asking. */
type Outcome = PeerOutcome | { readonly type: 'threw'; readonly error: unknown }

/** The unanswered calls of one instance, in the order in which they came. */
interface Line {
  readonly instance: InstanceId
  readonly shard: number
  readonly calls: Set<Call>
  parked: number
  /** Asked, and without a place yet. */
  unplaced: number
  /** The owner with whom all of them have their places; null when it is not known to be so. */
  askedOf: string | null
  isGoingOn: boolean
  /** After a failure nothing is asked before this timer, or a change of the table. */
  pause: NodeJS.Timeout | undefined
  failures: number
}

const RETRY_AFTER_SECONDS = 5
/** More than a node is sent while it may stand still and yet live. */
const SERVED_KEPT = 50_000
/** Between attempts at an owner that cannot be reached, doubled each time: the table may stay as it is and the owner come back. */
const PAUSE_MIN_MS = 50
const PAUSE_MAX_MS = 1_000

export function createRouter(options: RouterOptions): Router {
  const { table, self, local, peers, shardOf, rules, observe } = options
  const { parkTimeoutMs = 15_000, parkedMax = 10_000, parkedOfInstanceMax = 1_000 } = options
  const { answerMaxMs = 300_000, graceMs = 1_000 } = options
  const lines = new Map<InstanceId, Line>()
  /** What peers told of owners that the table does not know yet, and the newest epoch that it did tell. */
  const learnt = new Map<number, Owner>()
  const newestEpochs = new Map<number, number>()
  const served = new LRUCache<MessageId, true>({ max: SERVED_KEPT })
  let parked = 0
  let unanswered = 0
  let isClosed = false
  const endOfChanges = table.onChange(() => {
    for (const line of [...lines.values()]) goOnNow(line)
  })

  return {
    async ask<C extends Command>(instance: InstanceId, command: C, context = newContext()) {
      const reply = await take(instance, command, context, null, parkTimeoutMs)
      if (reply.type === 'reply') return reply.reply as ReplyOf[C['type']]
      throw reply.type === 'failed' ? reply.error : moving()
    },
    serve: ({ instance, command, context, epoch, leftMs }) =>
      take(instance, asServed(command), context, epoch, Math.min(parkTimeoutMs, leftMs)),
    counts: () => ({ parked, unanswered }),
    close,
    abandon() {
      close()
      // What comes back finds no room to be parked.
      for (const line of [...lines.values()]) for (const call of [...line.calls]) call.asked?.abort()
    },
  }

  function close(): void {
    isClosed = true
    endOfChanges()
    for (const line of [...lines.values()]) {
      clearTimeout(line.pause)
      for (const call of [...line.calls]) if (call.asked === null) timeIsUp(call)
    }
  }

  /** A first asking that was given up by its caller may still lie in a socket, and be read after the second one was answered. */
  function asServed(command: Command): Command {
    if (command.type !== 'send') return command
    const isKnown = served.has(command.messageid)
    served.set(command.messageid, true)
    return isKnown ? (rules.repeatOf(command) ?? command) : command
  }

  function take(
    instance: InstanceId,
    command: Command,
    context: CallContext,
    servedEpoch: number | null,
    parkLeftMs: number,
  ): Promise<PeerReply> {
    if (isClosed) return Promise.reject(moving())
    return new Promise((resolve, reject) => {
      const line = lineOf(instance)
      const call: Call = {
        line,
        servedEpoch,
        context,
        startedMs: performance.now(),
        resolve,
        reject,
        command,
        asked: null,
        mayHaveHappened: false,
        parkedSinceMs: 0,
        parkLeftMs,
        wasBusy: false,
        parkTimer: undefined,
      }
      line.calls.add(call)
      unanswered += 1
      if (line.parked === 0) askFirstTime(call)
      if (call.asked === null && line.calls.has(call)) park(call)
    })
  }

  /** Where all have their places with the present owner, a call that comes is asked at once, whatever the length of the line. */
  function askFirstTime(call: Call): void {
    const { line } = call
    const owner = ownerOf(line.shard)
    const isPlain = typeof owner === 'object' && owner.incarnation === line.askedOf && line.unplaced === 0
    if (isPlain && line.pause === undefined) askOwner(call, owner)
    else goOn(line)
  }

  /** Asks what can be asked now, from the front. */
  function goOn(line: Line): void {
    if (line.pause !== undefined || line.isGoingOn) return
    line.isGoingOn = true
    line.askedOf = null
    let isAllSettledIn = true
    for (const call of line.calls) {
      if (call.asked === null) askOwner(call, ownerOf(line.shard))
      else if (isFormer(call.asked, ownerOf(line.shard))) giveTime(line)
      // What is parked again, has no place yet, or is still with a former owner holds up those behind it.
      isAllSettledIn = !line.calls.has(call) || (call.asked !== null && isSettledIn(call.asked, line))
      if (!isAllSettledIn) break
    }
    const owner = ownerOf(line.shard)
    if (isAllSettledIn && typeof owner === 'object') line.askedOf = owner.incarnation
    line.isGoingOn = false
  }

  function goOnNow(line: Line): void {
    clearTimeout(line.pause)
    line.pause = undefined
    goOn(line)
  }

  function isSettledIn(asked: Asked, line: Line): boolean {
    return asked.hasPlace && !isFormer(asked, ownerOf(line.shard))
  }

  function isFormer(asked: Asked, owner: Owner | 'moving' | 'none'): boolean {
    return typeof owner === 'object' && owner.incarnation !== asked.incarnation
  }

  /** What former owners were asked: the answers, or the news that it was moved, may be on the way. If not, they are gone. */
  function giveTime(line: Line): void {
    const owner = ownerOf(line.shard)
    for (const { asked } of line.calls)
      if (asked !== null && isFormer(asked, owner)) asked.graceTimer ??= setTimeout(asked.abort, graceMs)
  }

  function askOwner(call: Call, owner: Owner | 'moving' | 'none'): void {
    if (typeof owner !== 'object') return
    // Who sent it knows more than we do: the news will come.
    if (call.servedEpoch !== null && call.servedEpoch > epochKnown(call.line.shard)) return
    // It was asked of an owner under one epoch. Its caller may have given it up since, and another owner have carried it out.
    const isMisdirected = call.servedEpoch !== null && (owner.incarnation !== self || owner.epoch !== call.servedEpoch)
    if (isMisdirected) settle(call, { type: 'moved', owner, wasBegun: call.mayHaveHappened })
    else if (owner.incarnation === self) askHere(call, owner.epoch)
    else askThere(call, owner)
  }

  function askHere(call: Call, epoch: number): void {
    unpark(call)
    const asked: Asked = {
      incarnation: self,
      epoch,
      hasPlace: true,
      graceTimer: undefined,
      // It cannot be called back, but nothing that it does under an old epoch is let out or stored.
      abort: () => come(call, asked, { type: 'lost', why: 'aborted', wasSent: true }),
    }
    setAsked(call, asked)
    askLocal(call).then(
      (reply) => come(call, asked, { type: 'reply', reply }),
      (error: unknown) => come(call, asked, { type: 'threw', error }),
    )
  }

  async function askLocal({ line, command, context }: Call): Promise<ReplyOf[Command['type']]> {
    return local.ask(line.instance, command, context)
  }

  function askThere(call: Call, owner: Owner): void {
    const isOrdered = unpark(call)
    const { line, command, context } = call
    const asked: Asked = {
      incarnation: owner.incarnation,
      epoch: owner.epoch,
      hasPlace: !isOrdered,
      graceTimer: undefined,
      abort: () => attempt.abort(),
    }
    setAsked(call, asked)
    const attempt = peers.call(
      owner.address,
      {
        instance: line.instance,
        command,
        epoch: owner.epoch,
        leftMs: answerMaxMs + parkTimeoutMs + rules.waitMsOf(command),
        context: { requestId: context.requestId, traceparent: nextSpan(context.traceparent) },
      },
      {
        isOrdered,
        onPlaced() {
          if (asked.hasPlace || call.asked !== asked) return
          asked.hasPlace = true
          line.unplaced -= 1
          goOn(line)
        },
      },
    )
    void attempt.outcome.then((outcome) => come(call, asked, outcome))
  }

  function setAsked(call: Call, asked: Asked): void {
    call.asked = asked
    if (call.line.askedOf !== asked.incarnation) call.line.askedOf = null
    if (!asked.hasPlace) call.line.unplaced += 1
  }

  function clearAsked(call: Call): void {
    if (call.asked === null) return
    clearTimeout(call.asked.graceTimer)
    if (!call.asked.hasPlace) call.line.unplaced -= 1
    call.asked = null
  }

  /** The owner that was asked has answered, or the call was lost on the way. */
  function come(call: Call, asked: Asked, outcome: Outcome): void {
    if (call.asked !== asked) return
    if (outcome.type === 'moved') learn(call.line.shard, outcome.owner)
    const back = returnOf(outcome)
    if (back !== null) {
      comeBack(call, asked, back.why, back.wasBegun)
      return
    }
    observe?.answered?.(asked.incarnation === self ? 'here' : 'there', performance.now() - call.startedMs)
    if (outcome.type === 'reply' || outcome.type === 'failed') settle(call, outcome)
    else fail(call, outcome.type === 'threw' ? outcome.error : new GatewayError('INTERNAL'))
  }

  function comeBack(call: Call, former: Asked, why: Returned, wasBegun: boolean): void {
    const { line } = call
    clearAsked(call)
    line.askedOf = null
    observe?.returned?.(why)
    call.wasBusy = why === 'busy'
    if (wasBegun) {
      const again = rules.repeatOf(call.command)
      if (again === null) {
        fail(call, new GatewayError('OUTCOME_UNKNOWN'))
        return
      }
      call.command = again
      call.mayHaveHappened = true
      // It was with an owner: a new wait begins.
      call.parkLeftMs = parkTimeoutMs
    }
    // What a peer said of an owner that cannot be reached may be wrong; the table will say better.
    if (why === 'lost' && learnt.get(line.shard)?.incarnation === former.incarnation) learnt.delete(line.shard)
    const owner = ownerOf(line.shard)
    const isNews = typeof owner !== 'object' || owner.incarnation !== former.incarnation || owner.epoch > former.epoch
    if (!isNews) pauseLine(line)
    park(call)
    goOn(line)
  }

  function pauseLine(line: Line): void {
    if (line.pause !== undefined) return
    const waitMs = Math.min(PAUSE_MIN_MS * 2 ** line.failures, PAUSE_MAX_MS) * (0.5 + Math.random() / 2)
    line.failures += 1
    line.pause = setTimeout(() => goOnNow(line), waitMs)
  }

  function park(call: Call): void {
    const { line } = call
    if (isClosed || parked >= parkedMax || line.parked >= parkedOfInstanceMax) {
      observe?.unparked?.('no room', 0)
      timeIsUp(call)
      return
    }
    parked += 1
    line.parked += 1
    call.parkedSinceMs = performance.now()
    call.parkTimer = setTimeout(() => timeIsUp(call), call.parkLeftMs)
  }

  /** True when it was parked. */
  function unpark(call: Call): boolean {
    if (call.parkTimer === undefined) return false
    clearTimeout(call.parkTimer)
    call.parkTimer = undefined
    parked -= 1
    call.line.parked -= 1
    const parkedMs = performance.now() - call.parkedSinceMs
    call.parkLeftMs = Math.max(0, call.parkLeftMs - parkedMs)
    observe?.unparked?.(call.parkLeftMs > 0 ? 'went on' : 'timed out', parkedMs)
    return true
  }

  function timeIsUp(call: Call): void {
    call.parkLeftMs = 0
    if (call.servedEpoch === null) {
      fail(call, call.mayHaveHappened ? new GatewayError('OUTCOME_UNKNOWN') : call.wasBusy ? busy() : moving())
      return
    }
    const owner = ownerOf(call.line.shard)
    settle(call, { type: 'moved', owner: isOther(owner) ? owner : 'moving', wasBegun: call.mayHaveHappened })
  }

  function settle(call: Call, reply: PeerReply): void {
    leave(call)
    call.resolve(reply)
  }

  function fail(call: Call, error: unknown): void {
    leave(call)
    call.reject(error)
  }

  function leave(call: Call): void {
    const { line } = call
    unpark(call)
    clearAsked(call)
    if (!line.calls.delete(call)) return
    unanswered -= 1
    line.failures = 0
    if (line.calls.size > 0) {
      if (line.parked > 0) goOn(line)
      return
    }
    clearTimeout(line.pause)
    lines.delete(line.instance)
  }

  function lineOf(instance: InstanceId): Line {
    const known = lines.get(instance)
    if (known !== undefined) return known
    const line: Line = {
      instance,
      shard: shardOf(instance),
      calls: new Set(),
      parked: 0,
      unplaced: 0,
      askedOf: null,
      isGoingOn: false,
      pause: undefined,
      failures: 0,
    }
    lines.set(instance, line)
    return line
  }

  /** What the table says, or what a peer said that is newer. */
  function ownerOf(shard: number): Owner | 'moving' | 'none' {
    const told = table.ownerOf(shard)
    if (typeof told === 'object' && told.epoch > (newestEpochs.get(shard) ?? 0)) newestEpochs.set(shard, told.epoch)
    const heard = learnt.get(shard)
    if (heard === undefined) return told
    if (heard.epoch <= (newestEpochs.get(shard) ?? 0)) {
      learnt.delete(shard)
      return told
    }
    // We are the owner, and our own table will say so when our actors are there.
    return heard.incarnation === self ? 'moving' : heard
  }

  function epochKnown(shard: number): number {
    return Math.max(newestEpochs.get(shard) ?? 0, learnt.get(shard)?.epoch ?? 0)
  }

  function learn(shard: number, owner: Owner | 'moving' | 'none'): void {
    if (typeof owner === 'object' && owner.epoch > epochKnown(shard)) learnt.set(shard, owner)
  }

  function isOther(owner: Owner | 'moving' | 'none'): owner is Owner {
    return typeof owner === 'object' && owner.incarnation !== self
  }
}

function moving(): GatewayError {
  return new GatewayError('INSTANCE_MOVING', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

function busy(): GatewayError {
  return new GatewayError('NODE_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** The journal refused a write of the instance: its epoch is over. */
function isDeposed(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'NOT_OWNER'
}

function newContext(): CallContext {
  return { requestId: '', traceparent: traceparentFor(undefined) }
}

/** Why a call was not answered, when it was not, and whether it may have happened all the same. */
function returnOf(outcome: Outcome): { why: Returned; wasBegun: boolean } | null {
  switch (outcome.type) {
    case 'reply':
      return null
    case 'failed':
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'threw':
      if (outcome.error instanceof ShardMoved) return { why: 'moved', wasBegun: outcome.error.wasBegun }
      return isDeposed(outcome.error) ? { why: 'moved', wasBegun: true } : null
    case 'moved':
      return { why: 'moved', wasBegun: outcome.wasBegun }
    case 'busy':
      return { why: 'busy', wasBegun: false }
    case 'lost':
      return { why: 'lost', wasBegun: outcome.wasSent }
    default:
      return neverOutcome(outcome)
  }
}

function neverOutcome(outcome: never): never {
  throw new Error(`An unknown outcome: ${JSON.stringify(outcome)}`)
}

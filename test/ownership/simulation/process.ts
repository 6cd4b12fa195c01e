/** One process: the two machines with simulated adapters, its actors, and all that can befall it. */
import { decide } from '../../../runtime/cluster/ownership/core.js'
import { isOpen, type KeeperState, keep, startKeeper } from '../../../runtime/cluster/ownership/keeper.js'
import type {
  CoreCommand,
  CoreEvent,
  Incarnation,
  Instant,
  KeeperCommand,
  KeeperEvent,
  NodeId,
  ShardRow,
} from '../../../runtime/cluster/ownership/protocol.js'
import { type CoreState, startCore } from '../../../runtime/cluster/ownership/state.js'
import type { Clock } from './clock.js'
import type { Actor, Seen } from './oracle.js'
import type { World } from './world.js'

type Thread = 'main' | 'worker'

export interface Identity {
  readonly nodeId: NodeId
  readonly address: string
  readonly version: string
}

const TICK_MS = 100
const ACT_MS = 150
/** The replica is waited for so long. */
const WAIT_MS = 300
const REPLICA_ANSWERS_MS = 25

export class Process implements Seen {
  readonly incarnation: Incarnation
  readonly actors = new Map<number, Actor>()
  isAlive = true
  /** By its supervisor; otherwise it has no reason to leave. */
  isAskedToEnd = false
  core: CoreState
  private keeper: KeeperState
  /** Memory that the threads share. */
  private until: Instant = { monotonicMs: 0, wallMs: 0 }
  private mainSeenMs: number
  /** Steps that wait for a thread that does not run. */
  private readonly stopped = { main: 0, worker: 0 }
  private readonly backlog: { readonly thread: Thread; readonly step: () => void }[] = []
  private pulls = 0

  constructor(
    private readonly world: World,
    readonly identity: Identity,
    readonly clock: Clock,
  ) {
    this.incarnation = world.newIncarnation(identity.nodeId)
    const { nodeId, address } = identity
    const nowMs = clock.now().monotonicMs
    this.mainSeenMs = nowMs
    this.keeper = startKeeper(world.timing)
    this.core = startCore({ incarnation: this.incarnation, nodeId, address }, world.timing, nowMs, world.rules.core)
    world.processes.push(this)
    world.oracle.processes.set(this.incarnation, this)
    if (!world.listeners.get(address)?.isAlive) world.listeners.set(address, this)
    world.log(`${this.incarnation} starts at ${address}, version ${identity.version}`)
    this.every(TICK_MS, 'worker', () => this.tellKeeper({ type: 'tick', mainSeenMs: this.mainSeenMs }))
    const tick = () => {
      this.mainSeenMs = this.clock.now().monotonicMs
      this.tell({ type: 'tick', isGuardOpen: this.isPublishedOpen(), canLogin: true })
    }
    this.step('main', tick, this.soon())
    this.every(TICK_MS, 'main', tick)
    this.every(ACT_MS, 'main', () => this.act())
  }

  // --------------------------------------------------------------------------------------------------- what may befall it

  kill(): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.world.log(`${this.incarnation} ends`)
    this.backlog.length = 0
    if (this.world.listeners.get(this.identity.address) === this) this.world.listeners.delete(this.identity.address)
  }

  /** Uncaught exception: the sockets are destroyed first, then the lease is given back. */
  fall(): void {
    this.actors.clear()
    this.tellKeeper({ type: 'leave' })
    this.kill()
  }

  stop(thread: Thread): void {
    this.stopped[thread] += 1
  }

  go(thread: Thread): void {
    this.stopped[thread] -= 1
    if (this.stopped[thread] > 0) return
    const waiting = this.backlog.filter((one) => one.thread === thread)
    this.backlog.splice(0, this.backlog.length, ...this.backlog.filter((one) => one.thread !== thread))
    // After SIGCONT a socket may be read before any timer runs.
    for (const { step } of waiting) this.step(thread, step, this.world.chance.between(0, 5))
  }

  tell(event: CoreEvent): void {
    if (!this.isAlive) return
    const result = decide(this.core, event, this.clock.now().monotonicMs)
    this.core = result.state
    for (const command of result.commands) this.execute(command)
  }

  /** SIGTERM, and what its supervisor does about one that does not end. */
  terminate(patienceMs: number): void {
    this.isAskedToEnd = true
    this.tell({ type: 'drainAsked' })
    this.world.time.at(patienceMs, () => this.tell({ type: 'stopAsked' }))
  }

  /** An administrator asks this node to have another one drained, or itself. */
  drainAsked(of: Incarnation): void {
    const heard = () => {
      this.tell({ type: 'hint' })
      this.execute({ type: 'announce' })
    }
    this.askSql<true>(
      'main',
      (reply) => {
        this.world.sql.setDraining(of)
        reply(true)
      },
      heard,
      () => {},
    )
  }

  /** Bytes may leave at this moment. */
  isGuardOpen(): boolean {
    return !this.world.rules.hasGuard || this.isPublishedOpen()
  }

  isOwner(shard: number): boolean {
    return this.isAlive && this.actors.get(shard)?.isLoggedIn === true && this.isGuardOpen()
  }

  // ---------------------------------------------------------------------------------------------------------------- parts

  private isPublishedOpen(): boolean {
    const now = this.clock.now()
    if (!this.world.rules.looksAtWall) return now.monotonicMs < this.until.monotonicMs
    return isOpen(this.until, now, this.world.timing.guardMs)
  }

  /** Runs on a thread, later; a pause may fall between any two steps. */
  private step(thread: Thread, step: () => void, delayMs: number): void {
    this.world.time.at(delayMs, () => this.runOrWait(thread, step))
  }

  private runOrWait(thread: Thread, step: () => void): void {
    if (!this.isAlive) return
    if (this.stopped[thread] > 0) this.backlog.push({ thread, step })
    else step()
  }

  private every(periodMs: number, thread: Thread, step: () => void): void {
    this.step(
      thread,
      () => {
        step()
        this.every(periodMs, thread, step)
      },
      this.world.chance.between(0.9, 1) * periodMs,
    )
  }

  private soon(): number {
    return this.world.chance.between(0, 1)
  }

  private send(to: string, arrive: () => void): void {
    this.world.wires.send(this.identity.address, to, arrive)
  }

  /**
   * One request and its answer, or `lost` after the time-out. The time of the request is taken, then it is sent, and between the two
   * the process may be stopped.
   */
  private request<T>(
    thread: Thread,
    server: string,
    serve: (reply: (answer: T) => void) => void,
    options: {
      readonly answered: (answer: T, sentAt: Instant) => void
      readonly lost: () => void
      readonly timeoutMs?: number
    },
  ): void {
    const { timeoutMs = this.world.timing.commandTimeoutMs } = options
    let isSettled = false
    const settle = (step: () => void) =>
      this.runOrWait(thread, () => {
        if (isSettled) return
        isSettled = true
        step()
      })
    this.step(
      thread,
      () => {
        const sentAt = this.clock.now()
        this.step(
          thread,
          () => {
            this.send(server, () =>
              serve((answer) =>
                this.world.wires.send(server, this.identity.address, () =>
                  settle(() => options.answered(answer, sentAt)),
                ),
              ),
            )
            this.world.time.at(timeoutMs, () => settle(options.lost))
          },
          this.soon(),
        )
      },
      this.soon(),
    )
  }

  private askSql<T>(
    thread: Thread,
    serve: (reply: (answer: T) => void) => void,
    answered: (answer: T, sentAt: Instant) => void,
    lost: () => void,
    refused = lost,
  ): void {
    const { sql } = this.world
    if (sql.state === 'refusing') {
      this.step(thread, refused, this.soon())
      return
    }
    this.request<T>(
      thread,
      'sql',
      (reply) => {
        if (sql.state !== 'up' && this.world.chance.happens(0.5)) return
        serve((answer) => {
          if (sql.state === 'up') reply(answer)
        })
      },
      { answered, lost },
    )
  }

  private askRedis<T>(
    thread: Thread,
    serve: (server: ReturnType<World['redis']['findServer']>, reply: (answer: T) => void) => void,
    answered: (answer: T, sentAt: Instant) => void,
    lost: () => void,
  ): void {
    const { redis } = this.world
    this.request<T>(
      thread,
      'redis',
      (reply) => {
        if (!redis.isAway) serve(redis.findServer(this.identity.address), reply)
      },
      { answered, lost },
    )
  }

  // --------------------------------------------------------------------------------------------------------------- keeper

  private tellKeeper(event: KeeperEvent): void {
    if (!this.isAlive) return
    const result = keep(this.keeper, event, this.clock.now(), this.world.rules.keeper)
    this.keeper = result.state
    for (const command of result.commands) this.executeKeeper(command)
  }

  private executeKeeper(command: KeeperCommand): void {
    const { redis, sql, timing, time, rules } = this.world
    const me = this.incarnation
    switch (command.type) {
      case 'createLease':
        this.askRedis<true>(
          'worker',
          (server, reply) => {
            redis.create(server, me, command.creation, timing.leaseKeptMs)
            reply(true)
          },
          () => this.tellKeeper({ type: 'leaseCreated', creation: command.creation }),
          () => this.tellKeeper({ type: 'leaseFailed' }),
        )
        return
      case 'renewLease': {
        const { creation, counter } = command
        this.askRedis<'renewed' | 'lost' | 'late'>(
          'worker',
          (server, reply) => {
            const result = redis.renew(server, me, creation, counter, timing.leaseKeptMs)
            if (result !== 'renewed' || !rules.waitsForReplica) reply(result)
            else
              time.at(REPLICA_ANSWERS_MS, () => {
                const replica = server.replica.get(me)
                const isReplicated =
                  server.isReplicating && replica?.creation === creation && replica.counter >= counter
                if (isReplicated) reply('renewed')
                else time.at(WAIT_MS - REPLICA_ANSWERS_MS, () => reply('late'))
              })
          },
          (result, sentAt) => {
            if (result === 'renewed') this.tellKeeper({ type: 'leaseRenewed', creation, sentAt })
            else this.tellKeeper(result === 'lost' ? { type: 'leaseLost', creation } : { type: 'leaseFailed' })
          },
          () => this.tellKeeper({ type: 'leaseFailed' }),
        )
        return
      }
      case 'hold':
        this.askSql<boolean>(
          'worker',
          (reply) => reply(sql.hold(me)),
          (isHeld, sentAt) => this.tellKeeper(isHeld ? { type: 'held', sentAt } : { type: 'holdRefused' }),
          () => this.tellKeeper({ type: 'holdFailed' }),
        )
        return
      case 'publish':
        this.until = command.until
        this.world.oracle.opened(this, this.actors.keys())
        return
      case 'markLeft':
        this.send('redis', () => {
          if (!redis.isAway) redis.markLeft(redis.findServer(this.identity.address), me)
        })
        return
      case 'refused':
        this.step('main', () => this.tell({ type: 'refused' }), this.soon())
        return
      default:
        command satisfies never
    }
  }

  // ----------------------------------------------------------------------------------------------------------------- core

  private execute(command: CoreCommand): void {
    const { world } = this
    const { sql, redis, chance, rules, time } = world
    const me = this.incarnation
    switch (command.type) {
      case 'readTable':
        this.askSql<ReturnType<typeof sql.read>>(
          'main',
          (reply) => reply(sql.read()),
          (table) => this.tell({ type: 'table', ...table }),
          () => this.tell({ type: 'tableFailed' }),
        )
        return
      case 'readLeases':
        this.askRedis<ReturnType<typeof redis.read>>(
          'main',
          (server, reply) => {
            const found = redis.read(server)
            if (!rules.waitsForReplica) reply(found)
            else time.at(REPLICA_ANSWERS_MS, () => server.isReplicating && reply(found))
          },
          (found, sentAt) => this.tell({ type: 'leases', sentAtMs: sentAt.monotonicMs, ...found }),
          () => this.tell({ type: 'leasesFailed' }),
        )
        return
      case 'register': {
        const row = { incarnation: me, ...this.identity, isDraining: false, isDead: false, revision: 1 }
        this.askSql<boolean>(
          'main',
          (reply) => reply(sql.register(row, command.over)),
          (isDone, sentAt) => {
            this.tell(isDone ? { type: 'registered', sentAt } : { type: 'registerRefused' })
            if (isDone) this.step('worker', () => this.tellKeeper({ type: 'begin', sentAt }), this.soon())
          },
          () => this.tell({ type: 'registerFailed' }),
        )
        return
      }
      case 'setDraining':
        this.send('sql', () => sql.state === 'up' && sql.setDraining(me))
        return
      case 'leave':
        this.send('sql', () => sql.state === 'up' && sql.leave(me))
        this.step('worker', () => this.tellKeeper({ type: 'leave' }), this.soon())
        return
      case 'probe':
        this.probe(command)
        return
      case 'declareDead': {
        const { incarnation, revision } = command
        world.log(`${me} declares ${incarnation} dead at revision ${revision}`)
        this.askSql<'dead' | 'moved'>(
          'main',
          (reply) => reply(sql.declareDead(incarnation, revision)),
          (result) => this.tell({ type: 'declared', incarnation, result }),
          () => this.tell({ type: 'declared', incarnation, result: 'failed' }),
        )
        return
      }
      case 'claim':
        this.askSql<readonly { shard: number; epoch: number }[]>(
          'main',
          (reply) => sql.claim(me, command.shards, reply),
          (granted) => {
            world.log(`${me} claimed ${granted.map((one) => one.shard).join(' ')}`)
            this.tell({ type: 'claimed', granted })
          },
          () => this.tell({ type: 'claimFailed' }),
        )
        return
      case 'activate':
        this.activate(command.shard, command.epoch)
        return
      case 'deactivate':
        this.actors.delete(command.shard)
        return
      case 'quiet':
        this.quiet(command.shard, command.epoch)
        return
      case 'handOver':
        world.log(`${me} hands shard ${command.shard} over to ${command.to}`)
        this.change(command.shard, command.epoch, command.to)
        return
      case 'raise':
        world.log(`${me} raises the epoch of shard ${command.shard}`)
        this.change(command.shard, command.epoch, null)
        return
      case 'askPull':
        this.askPull(command)
        return
      case 'answerPull': {
        const [asker] = command.requestId.split('/')
        const target = world.processes.find((one) => one.incarnation === asker)
        if (target === undefined) return
        this.send(target.identity.address, () => target.pullAnswered(command.requestId, command.shard, command.epoch))
        return
      }
      case 'announce':
        for (const other of world.processes) {
          if (other === this || !other.isAlive) continue
          this.send(other.identity.address, () => other.runOrWait('main', () => other.tell({ type: 'hint' })))
        }
        return
      case 'fence':
        world.log(`${me} fences itself`)
        this.actors.clear()
        return
      case 'stopAll':
        this.step(
          'main',
          () => {
            this.actors.clear()
            this.tell({ type: 'stopped' })
          },
          chance.between(1, 200),
        )
        return
      case 'end':
        world.log(`${me} wants to end: ${command.reason}`)
        this.actors.clear()
        this.step(
          'main',
          () => {
            this.kill()
            world.ended(this, command.reason)
          },
          20,
        )
        return
      default:
        command satisfies never
    }
  }

  private probe({ incarnation, nodeId, address }: Extract<CoreCommand, { type: 'probe' }>): void {
    const { listeners, wires } = this.world
    const isOff = wires.isCut(this.identity.address, address) || wires.isCut(address, this.identity.address)
    if (!listeners.has(address) && !isOff) {
      this.step('main', () => this.tell({ type: 'probed', incarnation, result: 'refused' }), this.soon() * 5)
      return
    }
    type Answer = Extract<CoreEvent, { type: 'probed' }>['result']
    this.request<Answer>(
      'main',
      address,
      (reply) => {
        const listener = listeners.get(address)
        listener?.runOrWait('main', () => {
          if (listener.incarnation === incarnation) reply(listener.isPublishedOpen() ? 'alive' : 'closed')
          else reply(listener.identity.nodeId === nodeId ? 'restarted' : 'silent')
        })
      },
      {
        answered: (result) => this.tell({ type: 'probed', incarnation, result }),
        lost: () => this.tell({ type: 'probed', incarnation, result: 'silent' }),
      },
    )
  }

  private change(shard: number, epoch: number, to: Incarnation | null): void {
    this.askSql<ShardRow>(
      'main',
      (reply) => this.world.sql.change(this.incarnation, shard, epoch, to, reply),
      (row) => this.tell({ type: 'rowAfter', shard, epoch, row }),
      () => this.tell({ type: 'rowUnknown', shard, epoch }),
      () => this.tell({ type: 'rowUntouched', shard, epoch }),
    )
  }

  // ---------------------------------------------------------------------------------------------------------------- pulls

  private readonly pulling = new Map<string, number>()

  private askPull({ shard, epoch, from, address }: Extract<CoreCommand, { type: 'askPull' }>): void {
    const requestId = `${this.incarnation}/${++this.pulls}`
    this.pulling.set(requestId, shard)
    this.send(address, () => {
      const source = this.world.listeners.get(address)
      if (source?.incarnation !== from) return
      source.runOrWait('main', () => source.tell({ type: 'pullAsked', requestId, shard, epoch, by: this.incarnation }))
    })
    this.step(
      'main',
      () => {
        if (this.pulling.delete(requestId)) this.tell({ type: 'pullFailed', shard })
      },
      this.world.timing.pullTimeoutMs,
    )
  }

  private pullAnswered(requestId: string, shard: number, epoch: number | null): void {
    this.runOrWait('main', () => {
      if (this.pulling.delete(requestId)) this.tell({ type: 'pullAnswered', shard, epoch })
    })
  }

  private quiet(shard: number, epoch: number): void {
    const isDone = this.world.chance.happens(0.95)
    this.step(
      'main',
      () => {
        if (isDone || this.world.chance.happens(0.5)) this.actors.delete(shard)
        this.tell({ type: isDone ? 'quieted' : 'quietFailed', shard, epoch })
      },
      this.world.chance.between(2, isDone ? 300 : 3_000),
    )
  }

  // --------------------------------------------------------------------------------------------------------------- actors

  private activate(shard: number, epoch: number): void {
    const actor: Actor = { epoch, isLoggedIn: false }
    this.actors.set(shard, actor)
    this.world.oracle.opened(this, [shard])
    this.logIn(shard, actor)
  }

  private logIn(shard: number, actor: Actor): void {
    const attempt = () => {
      if (this.actors.get(shard) !== actor) return
      if (!this.isGuardOpen()) {
        this.logIn(shard, actor)
        return
      }
      this.frame(shard, actor.epoch, () => {
        this.world.oracle.loggedIn(shard, actor.epoch)
        this.world.wires.send('messages', this.identity.address, () => {
          actor.isLoggedIn = true
        })
      })
      // An answer may be lost: it logs in again.
      this.step(
        'main',
        () => {
          if (!actor.isLoggedIn) this.logIn(shard, actor)
        },
        1_000,
      )
    }
    this.step('main', attempt, this.world.chance.between(5, 150))
  }

  /** Lets the actors act: frames past the guard, writes past the fence. */
  private act(): void {
    const { sql, chance } = this.world
    for (const [shard, { epoch, isLoggedIn }] of this.actors) {
      if (isLoggedIn && this.isGuardOpen()) this.frame(shard, epoch, () => {})
      if (!chance.happens(0.3) || sql.state !== 'up') continue
      this.send('sql', () => {
        const transaction = sql.check(shard, epoch)
        if (transaction === undefined) return
        this.world.wires.send('sql', this.identity.address, () =>
          // Now and then a batch is large.
          this.step('main', () => this.send('sql', () => transaction.commit()), chance.happens(0.1) ? 400 : 0),
        )
      })
    }
  }

  /** The guard is checked and the bytes are given to the kernel in one step; what is on its way is not ours. */
  private frame(shard: number, epoch: number, arrived: () => void): void {
    const sentMs = this.world.time.nowMs
    this.send('messages', () => {
      this.world.oracle.frame(shard, epoch, sentMs)
      arrived()
    })
  }
}

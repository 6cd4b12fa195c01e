/** Runs one schedule: a cluster starts, faults happen for a while, then none. Returns the first broken promise. */
import { defaultTiming, type NodeRow, type Timing } from '../../../runtime/cluster/ownership/protocol.js'
import { type Fault, faults, harmless, living, mendAll, newIdentity, restart, startNode } from './faults.js'
import { createChance } from './time.js'
import { allRules, createWorld, type Rules, type World } from './world.js'

export interface Schedule {
  readonly seed: number
  /** Number of shards of the cluster. */
  readonly shards?: number
  readonly rules?: Rules
  readonly timing?: Partial<Timing>
  /** Only these go wrong; otherwise anything, and every fourth seed only what must not move anything. */
  readonly faults?: readonly Fault[]
  /** Counts only frames that arrived, not those that nodes could have sent. */
  readonly onlyAtNetwork?: boolean
  readonly log?: (line: string) => void
}

export interface Outcome {
  /** The first promise that was broken. */
  readonly violation: string | undefined
}

const FEW_SHARDS = 8
const CALM_MS = 15_000
const TROUBLE_MS = 30_000
/** After the last fault has ended: detection, then a node that is restarted, then the claim. */
const RECOVERY_MS = 15_000
const BALANCE_MS = 15_000

export function runSchedule({
  seed,
  shards = FEW_SHARDS,
  rules = allRules,
  timing = {},
  faults: only,
  onlyAtNetwork = false,
  log,
}: Schedule): Outcome {
  const chance = createChance(seed)
  const world = createWorld(chance, {
    shards,
    timing: { ...defaultTiming, ...timing },
    rules,
    onlyAtNetwork,
    ...(log === undefined ? {} : { log }),
  })
  const isHarmless = only === undefined && seed % 4 === 0
  const kinds =
    only ?? (isHarmless ? harmless : (Object.keys(faults) as Fault[]).filter((kind) => kind !== 'sameNameElsewhere'))
  world.ended = (process, reason) => {
    if (reason === 'nameTaken') return
    if (reason === 'dead') world.oracle.believesDead(process.incarnation)
    if (reason === 'left' && !process.isAskedToEnd) world.oracle.fail(`${process.incarnation} left unasked`)
    if (reason === 'dead' || chance.happens(0.7)) {
      restart(world, process, chance.between(200, 3_000), reason === 'left' ? '1.0.1' : undefined)
    }
  }

  const nodes = Math.floor(chance.between(2, 5))
  for (let index = 0; index < nodes; index++) startNode(world, newIdentity(world))
  const steps: readonly (() => void)[] = [
    () => world.time.run(CALM_MS),
    () => checkSettled(world, 'at the start'),
    () => trouble(world, kinds, isHarmless),
    () => world.time.run(CALM_MS + TROUBLE_MS + RECOVERY_MS),
    () => checkSettled(world, 'after the faults'),
    () => world.time.run(CALM_MS + TROUBLE_MS + RECOVERY_MS + BALANCE_MS),
    () => checkEven(world),
  ]
  for (const step of steps) {
    if (world.oracle.violation === undefined) step()
  }
  return { violation: world.oracle.violation }
}

function trouble(world: World, kinds: readonly Fault[], isHarmless: boolean): void {
  const { chance, time } = world
  const before = owners(world)
  const count = Math.floor(chance.between(1, 9))
  for (let index = 0; index < count; index++) {
    const kind = chance.pick(kinds)
    time.at(chance.between(0, TROUBLE_MS - 20_000), () => {
      world.log(`fault: ${kind}`)
      faults[kind](world)
    })
  }
  time.run(CALM_MS + TROUBLE_MS)
  mendAll(world)
  // A world in which every process has died needs a hand.
  if (living(world).length === 0) startNode(world, newIdentity(world))
  if (isHarmless && owners(world) !== before) world.oracle.fail(`moved without need: ${before} to ${owners(world)}`)
}

function checkSettled(world: World, when: string): void {
  for (const [shard, { owner, epoch }] of world.sql.read().shards.entries()) {
    const process = world.processes.find((one) => one.incarnation === owner)
    if (process?.isOwner(shard) && process.actors.get(shard)?.epoch === epoch) continue
    const fact = process === undefined ? '' : process.isAlive ? ', which does not act' : ', which is dead'
    world.oracle.fail(`${when} shard ${shard} has owner ${owner}${fact}`)
  }
}

function checkEven(world: World): void {
  const { shards, nodes } = world.sql.read()
  const countShards = ({ incarnation }: NodeRow) => shards.filter((row) => row.owner === incarnation).length
  const members = nodes.filter((node) => !node.isDead && !node.isDraining)
  const counts = members.map(countShards)
  const versions = new Set(members.map((node) => node.version))
  if (versions.size === 1 && Math.max(...counts) - Math.min(...counts) > 1)
    world.oracle.fail(`the shards stay uneven: ${counts.join(', ')}`)
  const draining = nodes.filter((node) => !node.isDead && node.isDraining)
  if (members.length > 0 && draining.some((node) => countShards(node) > 0))
    world.oracle.fail('a node that was drained keeps shards')
}

function owners(world: World): string {
  return world.sql
    .read()
    .shards.map(({ owner, epoch }) => `${owner}@${epoch}`)
    .join(' ')
}

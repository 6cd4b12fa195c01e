/** Each rule of the protocol switched off, and the trouble in which it is missed. */
import type { Fault } from './faults.js'
import { allRules, type Rules } from './world.js'

export interface Mutation {
  readonly without: string
  readonly rules: Rules
  readonly faults: readonly Fault[]
}

const { keeper, sql } = allRules

export const mutations: readonly Mutation[] = [
  {
    without: 'a guard before the socket',
    rules: { ...allRules, hasGuard: false },
    faults: ['pause'],
  },
  {
    without: 'a look at the wall clock',
    rules: { ...allRules, looksAtWall: false },
    faults: ['suspend'],
  },
  {
    without: 'counting the deadline from before the request',
    rules: { ...allRules, keeper: { ...keeper, countsFromRequest: false } },
    faults: ['answersLate'],
  },
  {
    without: 'SQL to open a guard that had closed',
    rules: { ...allRules, keeper: { ...keeper, reopensBySql: false } },
    faults: ['pause', 'slow'],
  },
  {
    without: 'the wait for a lease that is not found',
    rules: { ...allRules, core: { waitsForLease: false } },
    faults: ['redisWiped', 'allApart'],
  },
  {
    without: 'starting again when the data of Redis went back',
    rules: { ...allRules, core: { startsAnewWithHistory: false } },
    faults: ['redisForgets'],
  },
  {
    without: 'starting again with each hold',
    rules: { ...allRules, core: { startsAnewWithRevision: false } },
    faults: ['holdsUnseen', 'redisApart', 'pause'],
  },
  {
    without: 'the compare-and-set on the revision, so that holds are ignored',
    rules: { ...allRules, sql: { ...sql, checksRevision: false } },
    faults: ['holdsUnseen'],
  },
  {
    without: 'waiting for the replica',
    rules: { ...allRules, waitsForReplica: false },
    faults: ['redisSplit', 'peersApart', 'peersApart'],
  },
  {
    without: 'raising the epoch when a hand-over had no answer',
    rules: { ...allRules, core: { raisesWhenUnsure: false } },
    faults: ['drain', 'join', 'sqlApart', 'slow'],
  },
  {
    without: 'the lock of the epoch check',
    rules: { ...allRules, sql: { ...sql, locksEpoch: false } },
    faults: ['drain', 'join'],
  },
]

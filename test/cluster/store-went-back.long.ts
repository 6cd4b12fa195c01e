import { it } from 'node:test'
import { goesOnAfterRestore, staysAfterJoin, staysAfterRestart } from './store-went-back.js'

it('one of two nodes, restarted in the time that PostgreSQL has lost, stays, and its shards get an owner again', (t) =>
  staysAfterRestart(t, 2))

it('a third node that joined in that time stays, and has its share again', (t) => staysAfterJoin(t, 2))

it('PostgreSQL is restored from an older copy under traffic of one node: it notices, says which time is missing, and continues', (t) =>
  goesOnAfterRestore(t, 1))

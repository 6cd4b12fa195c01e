/** The statements of the journal, as PostgreSQL logs them. To log them costs CPU: nothing else is measured meanwhile. */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { BenchStores } from './stores.js'

/** Time in which the end of what was written before is logged. */
const SETTLES_MS = 1_000
const JOURNAL = 'posthorn journal'

export interface LoggedStatements {
  /** Of the journal, without BEGIN and COMMIT. */
  readonly statements: number
  readonly transactions: number
  /** Of all other connections, with the idle work of the node. */
  readonly ofOthers: number
  /** How often each was run by others. */
  readonly byTextOfOthers: ReadonlyMap<string, number>
  /** How often the journal ran each. */
  readonly byText: ReadonlyMap<string, number>
}

export async function logStatements(stores: BenchStores, work: () => Promise<unknown>): Promise<LoggedStatements> {
  await set(stores, { log_line_prefix: "'<%a> '", log_parameter_max_length: '0', log_statement: "'all'" })
  const from = statSync(stores.logFile).size
  await work()
  await wait(SETTLES_MS)
  const log = readFileSync(stores.logFile).subarray(from).toString()
  await set(stores, { log_statement: "'none'" })
  return count(log)
}

async function set(stores: BenchStores, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings)) await stores.rows(`ALTER SYSTEM SET ${name} = ${value}`)
  await stores.rows('SELECT pg_reload_conf()')
  await wait(SETTLES_MS)
}

function count(log: string): LoggedStatements {
  const [byText, byTextOfOthers] = [new Map<string, number>(), new Map<string, number>()]
  let transactions = 0
  const add = (counts: Map<string, number>, text: string): void => {
    const short = text.replace(/\s+/g, ' ').trim().slice(0, 110)
    counts.set(short, (counts.get(short) ?? 0) + 1)
  }
  for (const [, name = '', text = ''] of log.matchAll(
    /^<([^>]*)> LOG:\s+(?:statement|execute [^:]+):\s+([\s\S]*?)(?=^<|(?![\s\S]))/gm,
  )) {
    if (name !== JOURNAL) add(byTextOfOthers, text)
    else if (text.startsWith('COMMIT')) transactions += 1
    else if (!text.startsWith('BEGIN')) add(byText, text)
  }
  const [statements, ofOthers] = [total(byText), total(byTextOfOthers)]
  return { statements, transactions, ofOthers, byText, byTextOfOthers }
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times, 0)
}

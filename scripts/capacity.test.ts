import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { packageRoot } from '../lib/package-root.js'

const read = (file: string) => readFileSync(path.join(packageRoot, 'docs', file), 'utf8')
const benchmarks = read('benchmarks.md')
const operations = read('operations/handbook.md')

/** The cells of the row that begins so. */
function row(text: string, name: string): readonly string[] {
  const line = text.split('\n').find((one) => one.startsWith(`| ${name} |`))
  assert.ok(line !== undefined, name)
  return line.split('|').map((cell) => cell.trim())
}

describe('the capacity table', () => {
  it('has the figures of the benches', () => {
    for (const [ours, theirs] of [
      ['sends to one, through REST', 'send 1:1 through REST, 20 at once'],
      ['sends to a group', 'send to a group through REST, 20 at once'],
      ['messages received, to the webhook', 'receive 1:1, to the webhook'],
      ['messages received in a group, to the webhook', 'receive in a group, to the webhook'],
      ['logins', 'gateway, 200 instances'],
    ] as const)
      assert.equal(Number.parseFloat(row(operations, ours)[2] ?? ''), Number(row(benchmarks, theirs)[2]), ours)
    const kib = Math.max(...[50, 200, 500].map((count) => Number(row(benchmarks, String(count))[2])))
    const perGib = Number(
      row(operations, 'idle instances, above the 130 MiB of a process without any')[2]?.replace(',', ''),
    )
    assert.ok(perGib <= 2 ** 20 / kib && perGib > (2 ** 20 / kib) * 0.95, `${perGib} of ${kib} KiB`)
  })

  it('says how many a core does in a second by the time that each takes', () => {
    for (const [, cpu = '', rate = ''] of operations.matchAll(/^\| [^|]+ \| (\d[^|]*) \| ([^|]+) \| `[^|]+\|$/gm)) {
      const times = [...cpu.matchAll(/\d+\.?\d*/g)].map(Number)
      const rates = [...rate.replaceAll(',', '').matchAll(/\d+/g)].map(Number)
      assert.equal(times.length, rates.length, cpu)
      for (const [index, time] of times.entries())
        assert.ok(
          Math.abs((rates[index] ?? 0) - 1000 / time) < 0.04 * (1000 / time),
          `${time} ms, ${rates[index]} a second`,
        )
    }
  })
})

/** A process with a watchdog, whose event loop a test blocks by a word on standard input: `loop`, `expression` or `wait`. */
import { createInterface } from 'node:readline'
import { startGroupWatchdog } from '../../runtime/cluster/watchdog/group-watchdog.js'

const [port, reportMs, endMs] = process.argv.slice(2).map(Number) as [number, number, number]

startGroupWatchdog(
  {
    settings: { reportMs, endMs, health: { host: '127.0.0.1', port }, logFields: { process: 7 }, isPretty: false },
    sockets: [],
  },
  (error) => {
    throw error
  },
)

function blockByLoop(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs);
}

function blockByExpression(): boolean {
  return /^(a+)+$/.test(`${'a'.repeat(60)}b`)
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ms = '600000'] = line.split(' ')
  if (word === 'loop') blockByLoop(Number(ms))
  else if (word === 'expression') blockByExpression()
  process.stdout.write(`${JSON.stringify({ done: word })}\n`)
})

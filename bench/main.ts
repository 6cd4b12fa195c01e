/** Runs the named benches, or all of them, one after the other: `npm run bench -- idle`. What follows a single name is its own. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const benches = [
  'messages',
  'system',
  'floor',
  'profile',
  'send-files',
  'menus',
  'dialects',
  'media',
  'idle',
  'idle-proxies',
  'memory',
  'bring-up',
  'sandbox',
  'api',
  'bodies',
  'journal',
  'pooler',
  'lanes',
  'receivers',
  'peers',
  'wires',
  'quiet',
  'cluster',
  'processes',
  'chats',
  'chatwoot',
  'groups',
  'import',
  'history',
  'lag',
  'logins',
  'campaigns',
  'campaign-pages',
  'campaign-fleet',
  'knowledge',
  'triggers',
  'agent-turns',
  'hostile',
]
const [first, ...rest] = process.argv.slice(2)
const isNamed = (name: string | undefined): name is string => name !== undefined && benches.includes(name)

if (first !== undefined && !isNamed(first)) {
  process.stderr.write(`There is no bench ${first}; there are ${benches.join(', ')}.\n`)
  process.exitCode = 1
} else if (isNamed(first) && !isNamed(rest[0])) await run(first, rest)
else for (const name of first === undefined ? benches : [first, ...rest]) await run(name, [])

/** In a process of its own, so that none warms up another. */
async function run(name: string, options: readonly string[]): Promise<void> {
  process.stdout.write(`\n## ${name}\n\n`)
  const file = fileURLToPath(new URL(`./${name}.js`, import.meta.url))
  const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) process.exitCode = 1
}

/** `npm run dev`: builds on each change and restarts the gateway after each build. Ctrl+C ends both. */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'

const inspector = process.argv.includes('--inspect') ? ['--inspect'] : []
const children: readonly ChildProcess[] = [
  start(path.join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc'), [
    '-p',
    'tsconfig.json',
    '--watch',
    '--preserveWatchOutput',
  ]),
  start('--watch', ['--watch-preserve-output', '--enable-source-maps', ...inspector, 'dist/runtime/main.js']),
]

function start(program: string, options: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...options], { cwd: packageRoot, stdio: 'inherit' })
}

let isEnding = false
// A terminal sends SIGINT to the children itself, and a second signal would end the gateway at once.
process.on('SIGINT', () => {
  isEnding = true
})
process.on('SIGTERM', endAll)
for (const child of children)
  child.once('exit', (code) => {
    process.exitCode = code ?? 1
    endAll()
  })

/** Ends what still runs, once. */
function endAll(): void {
  if (isEnding) return
  isEnding = true
  for (const child of children) child.kill()
}

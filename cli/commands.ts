import { spawn } from 'node:child_process'
import path from 'node:path'
import { packageRoot } from '../schemas/package-root.js'
import { connect } from './connect.js'
import { clientOf, type Output, read } from './options.js'
import { send } from './send.js'
import { START_ENVIRONMENT, START_OPTIONS } from './start-options.js'
import { tail } from './tail.js'

/** Resolves with the status of the process. */
export type Command = (typed: readonly string[], output: Output) => Promise<number>

export const USAGE = `usage: posthorn <command>

  start                     start a gateway with the settings of the environment
  doctor [--json]           check whether a gateway can run here
  backup [<folder>]         copy the gateway's database, files and keys into a new folder, while it runs
  restore <folder>          put a backup in place
  create <name>             make an instance, and print its token
  connect [--phone <number>]
                            pair an instance: by a QR code drawn here, or by a code to type on that phone
  send <number> [<text>] [--file <path or URL>] [--type <type>] [--key <key>]
                            send a text or a file; with the same key once, however often it is typed
  tail [--kinds <kinds>] [--from <id>] [--json]
                            follow the events, one line each; kinds with commas, such as messages,connection

Settings: POSTHORN_URL or --url (http://127.0.0.1:3000), POSTHORN_TOKEN or --token, and for create POSTHORN_ADMIN_TOKEN or --admin-token.
Status 0: done; 1: refused or failed; 2: this usage.
`

export const commands: Readonly<Record<string, Command>> = {
  start: (typed) => runProgram('main.js', typed, START_OPTIONS, START_ENVIRONMENT),
  doctor: (typed) => runProgram('doctor.js', typed),
  backup: (typed) => runProgram('backup.js', ['backup', ...typed]),
  restore: (typed) => runProgram('backup.js', ['restore', ...typed]),
  create,
  connect,
  send,
  tail,
}

async function create(typed: readonly string[], { write, note }: Output): Promise<number> {
  const options = read(typed, [1, 1])
  const { token, instance } = await clientOf(options, 'admin').initInstance({ name: options.words[0] ?? '' })
  note(`Instance ${instance.id} is made. Its token is shown only now:\n`)
  write(`${token}\n`)
  return 0
}

/** Runs a program of the gateway in this terminal, and passes signals on to it. */
function runProgram(
  file: string,
  typed: readonly string[],
  options: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const program = path.join(packageRoot, 'dist', file)
  const child = spawn(process.execPath, [...options, program, ...typed], {
    stdio: 'inherit',
    env: { ...environment, ...process.env },
  })
  // A terminal sends SIGINT to the child itself, and a second one would end it at once.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

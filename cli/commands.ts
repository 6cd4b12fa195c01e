import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../lib/package-root.js'
import { connect } from './connect.js'
import { createClient, type Output, read, readGatewayUrl } from './options.js'
import { send } from './send.js'
import { START_ENVIRONMENT, START_OPTIONS } from './start-options.js'
import { tail } from './tail.js'
import { upgrade } from './upgrade.js'

/** Resolves with the status of the process. */
export type Command = (typed: readonly string[], output: Output) => Promise<number>

export const USAGE = `usage: posthorn <command>

  start                     start a gateway with the settings of the environment
  demo [--exit] [--agent]   try it all on a simulated network, on this machine alone
  doctor [--json]           check whether a gateway can run here
  backup [<folder>]         copy the gateway's database, files and keys into a new folder, while it runs
  restore <folder>          put a backup in place
  shards [<number>]         say how many shards the cluster has, or give it more while no node runs
  upgrade --check [--changelog <file>]
                            say what newer versions change, by the CHANGELOG.md of one in this folder; asks nobody
  link                      make a new link that signs in to the dashboard
  create <name>             make an instance, and print its token
  connect [--phone <number>]
                            pair an instance: by a QR code drawn here, or by a code to type on that phone
  send <number> [<text>] [--file <path or URL>] [--type <type>] [--key <key>]
                            send a text or a file; with the same key once, however often it is typed
  tail [--kinds <kinds>] [--from <id>] [--json]
                            follow the events, one line each; kinds with commas, such as messages,connection

Settings: POSTHORN_URL or --url (http://127.0.0.1:3000), POSTHORN_TOKEN or --token, and for create and link POSTHORN_ADMIN_TOKEN or
--admin-token; link also takes ADMIN_TOKEN, or the token of a gateway that has its data in DATA_DIR (./data).
Status 0: done; 1: refused or failed; 2: this usage.
`

export const commands: Readonly<Record<string, Command>> = {
  start: (typed) => runProgram('main.js', typed, START_OPTIONS, START_ENVIRONMENT),
  demo: (typed) => runProgram('demo.js', typed),
  doctor: (typed) => runProgram('doctor.js', typed),
  backup: (typed) => runProgram('backup.js', ['backup', ...typed]),
  restore: (typed) => runProgram('backup.js', ['restore', ...typed]),
  shards: (typed) => runProgram('shards.js', typed),
  upgrade,
  link,
  create,
  connect,
  send,
  tail,
}

async function create(typed: readonly string[], { write, note }: Output): Promise<number> {
  const options = read(typed, [1, 1])
  const { token, instance } = await createClient(options, 'admin').initInstance({ name: options.words[0] ?? '' })
  note(`Instance ${instance.id} is made. Its token is shown only now:\n`)
  write(`${token}\n`)
  return 0
}

/** Prints a link that signs in once. Whoever can read the data folder of the gateway needs no token. */
async function link(typed: readonly string[], { write, note }: Output): Promise<number> {
  const options = read(typed, [0, 0])
  const given =
    options.values['admin-token'] ?? process.env.POSTHORN_ADMIN_TOKEN ?? process.env.ADMIN_TOKEN ?? keptToken()
  const values = given === undefined ? options.values : { ...options.values, 'admin-token': given }
  const { code } = await createClient({ ...options, values }, 'admin').openPassCode({})
  write(`${readGatewayUrl(options)}/dashboard/#welcome=${code}\n`)
  note('The link signs in once, within ten minutes.\n')
  return 0
}

function keptToken(): string | undefined {
  try {
    const file = path.join(process.env.DATA_DIR || 'data', 'secrets.json')
    return (JSON.parse(readFileSync(file, 'utf8')) as { adminToken?: string }).adminToken
  } catch {
    return undefined
  }
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

/** HAProxy before a cluster, configured as one would before a real one; only its looks at the nodes are more frequent. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Cleanup } from './cleanup.js'
import { testFolder } from './embedded.js'
import { eventually } from './eventually.js'
import { findHaproxy } from './haproxy-program.js'
import { lastingPort } from './port.js'

const NODES_MAX = 16
/** How often HAProxy looks at each node: rarer than our own balancer, since in a real cluster it is; a drain must be longer. */
const CHECK_MS = 500
/** How often we look for nodes that are new. */
const LOOK_MS = 100

export interface Haproxy {
  readonly url: string
  /** Calls, so far, that a node has refused or cut, whether or not another one has answered them. */
  troubles(): Promise<number>
}

/** `urls`: of the nodes. Each is a server from the first time that it is among them; that it is ready, HAProxy finds out itself. */
export async function startHaproxy(t: Cleanup, urls: () => readonly string[]): Promise<Haproxy> {
  const { program, environment } = await findHaproxy()
  const folder = testFolder(t)
  const file = path.join(folder, 'haproxy.cfg')
  const commands = path.join(folder, 'haproxy.sock')
  const port = await lastingPort()
  writeFileSync(file, configuration(port, commands))
  const child = spawn(program, ['-db', '-f', file], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = once(child, 'exit')

  const added = new Set<string>()
  async function addNew(): Promise<void> {
    for (const url of urls().filter((one) => !added.has(one))) {
      const server = `nodes/node${added.size + 1}`
      const { port: nodePort } = new URL(url)
      await ask(commands, `set server ${server} addr 127.0.0.1 port ${nodePort}; set server ${server} state ready`)
      added.add(url)
    }
  }
  await eventually(
    () => addNew().then(() => 'it listens', String),
    (how) => how === 'it listens' || child.exitCode !== null,
  )
  assert.equal(child.exitCode, null, output)
  let adding = Promise.resolve()
  const looks = setInterval(() => {
    adding = adding.then(addNew, addNew)
    adding.catch(() => {})
  }, LOOK_MS)
  t.after(async () => {
    clearInterval(looks)
    await adding.catch(() => {})
    child.kill('SIGTERM')
    await ended
  })

  return { url: `http://127.0.0.1:${port}`, troubles: async () => troublesIn(await ask(commands, 'show stat')) }
}

function configuration(port: number, commands: string): string {
  return `
global
  stats socket ${commands} level admin
  maxconn 2000

defaults
  mode http
  timeout connect 1s
  timeout check 1s
  # An event stream and a call that waits for its instance are silent for long.
  timeout client 1h
  timeout server 1h
  # A call is given to another node only when the first one surely did not get it.
  retries 3
  retry-on conn-failure
  option redispatch 1

frontend api
  bind 127.0.0.1:${port}
  default_backend nodes

backend nodes
  balance leastconn
  # A node that drains says so at once, and still answers what comes until it is believed.
  option httpchk GET /ready
  http-check expect status 200
  default-server check inter ${CHECK_MS}ms fall 1 rise 1
  # Nodes come while it runs: each takes one of these.
  server-template node 1-${NODES_MAX} 127.0.0.1:1 disabled
`
}

/** From the line of all nodes together; the first line names the columns. */
function troublesIn(statistics: string): number {
  const [names = [], ...lines] = statistics.split('\n').map((line) => line.replace(/^# /, '').split(','))
  const all = lines.find(([proxy, server]) => proxy === 'nodes' && server === 'BACKEND') ?? []
  const column = (name: string): number => Number(all[names.indexOf(name)])
  return column('econ') + column('eresp') + column('wretr') + column('wredis')
}

/** Tells a running HAProxy something. */
async function ask(socket: string, command: string): Promise<string> {
  const connection = connect(socket)
  connection.end(`${command}\n`)
  return await text(connection)
}

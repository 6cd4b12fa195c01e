/** PostgreSQL servers under Patroni with etcd and HAProxy, with the settings of `compose/patroni.yaml` and `compose/patroni-haproxy.cfg`. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { parse, stringify } from 'yaml'
import { packageRoot } from '../../lib/package-root.js'
import { namespaceArguments } from '../../runtime/embedded/postgres-user.js'
import { signalProcess } from '../../runtime/embedded/processes.js'
import { type Cleanup, lastFirst } from './cleanup.js'
import { testFolder } from './embedded.js'
import { eventually } from './eventually.js'
import { findHaproxy } from './haproxy-program.js'
import { findPatroni, type PatroniPrograms } from './patroni-program.js'
import { lastingPort } from './port.js'

export interface PatroniMember {
  readonly name: string
  start(): void
  /** As the loss of its machine: Patroni and PostgreSQL end at once. */
  kill(): Promise<void>
}

export interface PatroniCluster {
  /** Leads through HAProxy to the primary. */
  readonly connectionString: string
  readonly members: readonly PatroniMember[]
  primary(): Promise<PatroniMember>
  /** Waits until all these members run, one as the primary and one as its synchronous standby. */
  settled(members?: readonly PatroniMember[]): Promise<void>
  /** Makes the synchronous standby the primary, as an administrator does. */
  switchOver(): Promise<void>
}

interface Ports {
  readonly postgres: number
  readonly rest: number
}

interface MemberView {
  readonly name: string
  readonly role: string
  readonly state: string
}

type Settings = Record<string, unknown>

const SETTLED_MS = 120_000

/** @throws what apt says when Patroni is not here and cannot be fetched */
export async function startPatroni(test: Cleanup): Promise<PatroniCluster> {
  const t = lastFirst(test)
  const programs = await findPatroni()
  const folder = testFolder(t)
  const etcdPort = await startEtcd(t, programs, folder)
  const names = ['postgres1', 'postgres2', 'postgres3']
  const ports = new Map<string, Ports>()
  for (const name of names) ports.set(name, { postgres: await lastingPort(), rest: await lastingPort() })
  const members = names.map((name) =>
    createMember(t, programs, { name, folder: path.join(folder, name), etcdPort, ports: ports.get(name) as Ports }),
  )
  for (const member of members) member.start()
  const port = await startWay(t, folder, ports)

  async function ask<T>(
    name: string,
    method: string,
    route: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(`http://127.0.0.1:${ports.get(name)?.rest}${route}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
    const text = await response.text()
    return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as T }
  }

  async function primary(): Promise<PatroniMember> {
    const isPrimary = ({ name }: PatroniMember) =>
      ask(name, 'GET', '/primary').then(
        ({ status }) => status === 200,
        () => false,
      )
    const found = await Promise.all(members.map(isPrimary))
    const at = found.indexOf(true)
    assert.ok(at >= 0 && found.lastIndexOf(true) === at, `primaries: ${found.join()}`)
    return members[at] as PatroniMember
  }

  async function views(): Promise<readonly MemberView[]> {
    const { name } = await primary()
    return (await ask<{ members: MemberView[] }>(name, 'GET', '/cluster')).body.members
  }

  async function settled(among: readonly PatroniMember[] = members): Promise<void> {
    await eventually(
      () => views().catch(() => []),
      (all) => {
        const running = all.filter(({ state }) => ['running', 'streaming'].includes(state))
        const roles = running.map(({ role }) => role)
        return running.length === among.length && roles.includes('leader') && roles.includes('sync_standby')
      },
      SETTLED_MS,
    )
  }

  const url = (user: string, database: string) => `postgresql://${user}:change-me@127.0.0.1:${port}/${database}`
  await settled()
  await eventually(() =>
    makeDatabase(url('postgres', 'postgres')).then(
      () => true,
      () => false,
    ),
  )
  return {
    connectionString: url('posthorn', 'posthorn'),
    members,
    primary,
    settled,
    async switchOver() {
      const leader = (await primary()).name
      const candidate = (await views()).find(({ role }) => role === 'sync_standby')?.name
      const { status, body } = await ask(leader, 'POST', '/switchover', { leader, candidate })
      assert.equal(status, 200, String(body))
    },
  }
}

async function makeDatabase(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query("CREATE ROLE posthorn LOGIN PASSWORD 'change-me'")
    await client.query('CREATE DATABASE posthorn OWNER posthorn')
  } finally {
    await client.end().catch(() => {})
  }
}

async function startEtcd(t: Cleanup, { etcd, environment }: PatroniPrograms, folder: string): Promise<number> {
  const [client, peer] = [await lastingPort(), await lastingPort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const args = {
    'data-dir': path.join(folder, 'etcd'),
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  }
  const child = spawn(
    etcd,
    Object.entries(args).map(([name, value]) => `--${name}=${value}`),
    { env: environment, stdio: 'ignore' },
  )
  t.after(() => ended(child))
  await eventually(() =>
    fetch(`${clientUrl}/health`).then(
      ({ ok }) => ok || child.exitCode !== null,
      () => child.exitCode !== null,
    ),
  )
  assert.equal(child.exitCode, null, 'etcd has ended')
  return client
}

function createMember(
  t: Cleanup,
  { patroni, postgresFolder, environment }: PatroniPrograms,
  { name, folder, etcdPort, ports }: { name: string; folder: string; etcdPort: number; ports: Ports },
): PatroniMember {
  mkdirSync(folder)
  const data = path.join(folder, 'data')
  const file = path.join(folder, 'patroni.yml')
  const settings = parse(readFileSync(path.join(packageRoot, 'compose/patroni.yaml'), 'utf8')) as Record<
    string,
    Settings
  >
  const [postgresAt, restAt] = [`127.0.0.1:${ports.postgres}`, `127.0.0.1:${ports.rest}`]
  const own = {
    ...settings,
    name,
    etcd3: { hosts: [`127.0.0.1:${etcdPort}`] },
    restapi: { listen: restAt, connect_address: restAt },
    postgresql: {
      ...settings.postgresql,
      listen: postgresAt,
      connect_address: postgresAt,
      data_dir: data,
      bin_dir: postgresFolder,
      pgpass: path.join(folder, 'pgpass'),
      // Its processes are killed, its machine is not.
      parameters: { unix_socket_directories: folder, fsync: 'off' },
    },
    // Tests have no such device.
    watchdog: { mode: 'off' },
  }
  writeFileSync(file, stringify(own))
  // PostgreSQL refuses to run as root.
  const before = process.getuid?.() === 0 ? ['unshare', ...namespaceArguments] : []
  const [program = '', ...args] = [...before, ...patroni, file]
  let child: ChildProcess | undefined
  let output = ''
  const member: PatroniMember = {
    name,
    start() {
      child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (text: Buffer) => (output += text.toString()))
    },
    async kill() {
      if (child !== undefined) await ended(child)
      try {
        const [postmaster] = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
        signalProcess(Number(postmaster), 'SIGKILL')
      } catch {
        // It had not started.
      }
    },
  }
  t.after(async () => {
    await member.kill()
    if (process.env.POSTHORN_TEST_LOG_LEVEL !== undefined) process.stdout.write(output)
  })
  return member
}

/** Starts HAProxy before the members. Returns the port that leads to the primary. */
async function startWay(t: Cleanup, folder: string, ports: ReadonlyMap<string, Ports>): Promise<number> {
  const { program, environment } = await findHaproxy()
  const port = await lastingPort()
  const file = path.join(folder, 'haproxy.cfg')
  const written = readFileSync(path.join(packageRoot, 'compose/patroni-haproxy.cfg'), 'utf8')
    .replace('bind :5432', `bind 127.0.0.1:${port}`)
    .replaceAll(/(postgres\d):5432 check port 8008/g, (_all, name: string) => {
      const { postgres, rest } = ports.get(name) as Ports
      return `127.0.0.1:${postgres} check port ${rest}`
    })
  writeFileSync(file, written)
  const child = spawn(program, ['-db', '-f', file], { env: environment, stdio: 'ignore' })
  t.after(() => ended(child))
  return port
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

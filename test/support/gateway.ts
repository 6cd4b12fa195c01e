/** A whole gateway as a process of its own, driven only through HTTP, as a user would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from '../../sandbox/index.js'
import type { Cleanup } from './cleanup.js'
import { migratedDatabase, type TestPostgres, type TestRedis, testDatabase, testFolder, testRedis } from './embedded.js'
import { callOverHttp } from './http-call.js'
import { TEST_NODE_OPTIONS } from './node-options.js'
import { startPgbouncer } from './pgbouncer.js'
import { lastingPort } from './port.js'
import { within } from './waits.js'

export interface Reply<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface GatewayOptions {
  readonly sandbox: Pick<Sandbox, 'websocketUrl' | 'noiseRootKeyHex' | 'mediaCaFile'>
  readonly env?: Readonly<Record<string, string>>
  readonly stores?: Stores
  /** The file to run, instead of that of this version. */
  readonly program?: string
  /** Words behind the name of the program. */
  readonly args?: readonly string[]
  /** The Node.js that runs it, instead of that of the test. */
  readonly interpreter?: string
  /** It is a node of the cluster of that one: on its stores, with its secrets. */
  readonly beside?: Pick<Gateway, 'redis' | 'databaseUrl' | 'adminToken' | 'encryptionKey' | 'environment'>
}

/** Stores of the gateway, where they are not a database of the run's PostgreSQL and a Redis that forgets. */
export interface Stores {
  /** Stands between the gateway and its PostgreSQL. */
  readonly between?: (connectionString: string) => Promise<string>
  /** A PostgreSQL of its own, instead of the one of the run. */
  readonly postgres?: TestPostgres
  readonly redisKeepsData?: boolean
  /** The gateway starts and watches its own servers, in this folder. */
  readonly embeddedIn?: string
  /** A command that prepares where the gateway runs and then becomes it. */
  readonly launcher?: readonly string[]
}

export interface Gateway {
  readonly url: string
  readonly adminToken: string
  /** 0 when it was ended by the test. */
  readonly pid: number
  readonly isRunning: boolean
  /** @throws when the gateway has servers of its own */
  readonly redis: TestRedis
  /** For statements of the test's own; not the way through `between`. */
  readonly databaseUrl: string
  /** Output of the process, for tests of what must not be printed. */
  readonly output: () => string
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    options?: { token?: string; admin?: boolean; body?: unknown; headers?: Record<string, string> },
  ): Promise<Reply<T>>
  kill(signal?: NodeJS.Signals): Promise<void>
  readonly encryptionKey: string
  readonly environment: Readonly<Record<string, string>>
  /** Starts it again on the same stores and port, with these settings and this program from now on. */
  start(changed?: Readonly<Record<string, string>>, program?: string): Promise<void>
  /** Starts another one on the same stores, with these settings, and waits for its end. */
  startSecond(changed?: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }>
}

export const ownProgram = fileURLToPath(new URL('../../main.js', import.meta.url))

async function pooled(t: Cleanup, databaseUrl: string): Promise<Record<string, string>> {
  const { connectionString } = await startPgbouncer(t, databaseUrl, { poolSize: 4 })
  return { DATABASE_URL: connectionString, DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: databaseUrl }
}

export async function startGateway(t: Cleanup, options: GatewayOptions): Promise<Gateway> {
  const { sandbox, env = {}, stores = {}, beside, args = [] } = options
  const { interpreter = process.execPath } = options
  let { program = ownProgram } = options
  const database = program === ownProgram ? migratedDatabase : testDatabase
  // Before the folder of its data is removed.
  t.after(() => kill())
  const { embeddedIn, between } = stores
  const redis =
    beside?.redis ??
    (embeddedIn === undefined ? await testRedis(t, { keepsData: stores.redisKeepsData ?? false }) : undefined)
  const databaseUrl =
    beside?.databaseUrl ?? (embeddedIn === undefined ? (stores.postgres ?? (await database(t))).connectionString : '')
  // `POSTHORN_TEST_POOLER=transaction` tries what the tests of gateways do through PgBouncer.
  const isPooled =
    process.env.POSTHORN_TEST_POOLER === 'transaction' &&
    program === ownProgram &&
    embeddedIn === undefined &&
    between === undefined &&
    env.DATABASE_URL === undefined
  const adminToken = beside?.adminToken ?? randomBytes(16).toString('hex')
  const encryptionKey = beside?.encryptionKey ?? randomBytes(32).toString('base64')
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: String(await lastingPort()),
    PEER_PORT: String(await lastingPort()),
    DATA_DIR: embeddedIn ?? testFolder(t),
    DATABASE_URL: between === undefined ? databaseUrl : await between(databaseUrl),
    ...(isPooled ? await pooled(t, databaseUrl) : {}),
    REDIS_URL: redis?.url ?? '',
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEY: encryptionKey,
    CLUSTER_SECRET: beside?.environment.CLUSTER_SECRET ?? randomBytes(16).toString('hex'),
    WA_WEBSOCKET_URL: sandbox.websocketUrl,
    WA_NOISE_ROOT_KEY: sandbox.noiseRootKeyHex,
    WA_MEDIA_CA_FILE: sandbox.mediaCaFile,
    ALLOW_PRIVATE_ADDRESSES: 'true',
    SEND_DELAY_MIN_MS: '0',
    SEND_DELAY_MAX_MS: '0',
    SEND_RATE_PER_MINUTE: '0',
    NEW_CHATS_RELEASE_JITTER_MS: '0',
    RECONNECT_DELAY_MIN_MS: '50',
    // Tests do not call the internet.
    AGENT_KEY_CHECK: 'false',
    LOG_LEVEL: 'info',
    ...env,
  }
  let child: ChildProcess | undefined
  let output = ''
  let port = 0

  async function start(changed: Readonly<Record<string, string>> = {}, next = program): Promise<void> {
    Object.assign(environment, changed)
    program = next
    const [command = interpreter, ...before] = [...(stores.launcher ?? []), interpreter]
    const started = spawn(command, [...before, ...TEST_NODE_OPTIONS, program, ...args], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    started.stderr?.on('data', (data: Buffer) => {
      output += data.toString()
    })
    const lines = createInterface({ input: started.stdout as NodeJS.ReadableStream })
    const address = new Promise<number>((resolve, reject) => {
      lines.on('line', (line) => {
        output += `${line}\n`
        const match = /"port":(\d+).*"msg":"The API listens\./.exec(line)
        if (match?.[1] !== undefined) resolve(Number(match[1]))
      })
      started.once('exit', (code, signal) =>
        reject(new Error(`The gateway ended (${code ?? signal}) before it listened:\n${output.slice(-4000)}`)),
      )
    })
    port = await within('The start of a gateway', address, { output: () => output })
  }

  async function kill(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const running = child
    child = undefined
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill(signal)
    const isEnded = within(`The end of a gateway by ${signal}`, ended, { output: () => output })
    await isEnded.finally(() => running.kill('SIGKILL'))
  }

  await start()
  return {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    adminToken,
    encryptionKey,
    environment,
    get redis() {
      if (redis === undefined) throw new Error('The gateway has a Redis of its own.')
      return redis
    },
    databaseUrl,
    get pid() {
      return child?.pid ?? 0
    },
    get isRunning() {
      return child !== undefined && child.exitCode === null && child.signalCode === null
    },
    output: () => output,
    call: caller(
      () => `http://127.0.0.1:${port}`,
      adminToken,
      () => output,
    ),
    kill,
    start,
    async startSecond(changed = {}) {
      const second = spawn(interpreter, [...TEST_NODE_OPTIONS, program], {
        env: { ...environment, PORT: '0', PEER_PORT: '0', ...changed },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let printed = ''
      for (const stream of [second.stdout, second.stderr])
        stream.on('data', (data: Buffer) => (printed += data.toString()))
      const ended = within('The end of a second gateway', once(second, 'exit'), { output: () => printed })
      const [code] = (await ended.finally(() => second.kill('SIGKILL'))) as [number | null]
      return { code, output: printed }
    },
  }
}

/** Calls of the API as a client makes them. `output`: of the gateway, for a call that gets no answer. */
export function caller(url: () => string, adminToken: string, output = () => ''): Gateway['call'] {
  return async function call<T>(
    method: string,
    path: string,
    options: { token?: string; admin?: boolean; body?: unknown; headers?: Record<string, string> } = {},
  ) {
    const { token, admin, body, headers } = options
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const asked = callOverHttp(
      `${url()}${path}`,
      method,
      {
        ...(token === undefined ? {} : { token }),
        ...(admin ? { admintoken: adminToken } : {}),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      sent,
    )
    const { status, headers: answered, text } = await within(`${method} ${path}`, asked, { output })
    const isJson = answered.get('content-type')?.includes('json') ?? false
    return { status, headers: answered, body: (isJson ? JSON.parse(text) : text) as T }
  }
}

/** The gateway as a process, with PostgreSQL and Redis of its own in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { START_ENVIRONMENT, START_OPTIONS } from '../../cli/start-options.js'
import { type BenchNetwork, callJson } from './network.js'
import { type Part, type PartOptions, startPart } from './processes.js'

const ADMIN_TOKEN = 'bench-bench-bench'

/** Calls of tenants at a gateway. */
export interface GatewayClient {
  readonly url: string
  /** An instance for a phone of the network, paired by code and connected; its token. */
  pair(phone: string): Promise<string>
  newInstance(name: string): Promise<string>
  call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, token: string, body?: object): Promise<T>
}

export interface BenchGateway extends Part, GatewayClient {
  /** How many instances are connected now. */
  connected(): Promise<number>
}

/** A folder for a gateway's data; removed at the end of the process. */
export function dataFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface GatewayOptions extends Omit<PartOptions, 'options'> {
  readonly env?: Readonly<Record<string, string>>
  /** File below the folder of compiled files. Default: what `npm start` starts. */
  readonly program?: string
}

export async function startGateway(
  folder: string,
  network: BenchNetwork | undefined,
  options: GatewayOptions = {},
): Promise<BenchGateway> {
  const part = await startPart(
    options.program ?? 'main.js',
    {
      ...START_ENVIRONMENT,
      PORT: '0',
      DATA_DIR: folder,
      ADMIN_TOKEN,
      ...(network === undefined
        ? {}
        : {
            WA_WEBSOCKET_URL: network.addresses.websocketUrl,
            WA_NOISE_ROOT_KEY: network.addresses.noiseRootKeyHex,
            WA_MEDIA_CA_FILE: network.addresses.mediaCaFile,
          }),
      ALLOW_PRIVATE_ADDRESSES: 'true',
      RATE_LIMIT_ADDRESS_PER_SECOND: '0',
      RATE_LIMIT_TOKEN_PER_SECOND: '0',
      RATE_LIMIT_INSTANCE_PER_SECOND: '0',
      LOG_LEVEL: 'info',
      LOG_FORMAT: 'json',
      ...options.env,
    },
    /"port":(\d+).*"msg":"The API listens\."/,
    { ...options, options: startOptions() },
  )
  const url = `http://127.0.0.1:${part.said[1] ?? ''}`
  return {
    ...part,
    ...gatewayClient(url, network),

    async connected() {
      const { body } = await request(`${url}/metrics`)
      return Number(/^posthorn_instances\{status="connected"\} (\d+)$/m.exec(await body.text())?.[1] ?? 0)
    },
  }
}

export function gatewayClient(url: string, network: Pick<BenchNetwork, 'control'> | undefined): GatewayClient {
  const call: GatewayClient['call'] = (method, path, token, body) => callJson(method, url + path, body, { token })

  async function newInstance(name: string): Promise<string> {
    const headers = { admintoken: ADMIN_TOKEN }
    return (await callJson<{ token: string }>('POST', `${url}/instance/init`, { name }, headers)).token
  }

  return {
    url,
    call,
    newInstance,

    async pair(phone) {
      if (network === undefined) throw new Error('There is no network to pair on.')
      const token = await newInstance(phone)
      const body = { phone }
      const connect = () => call<{ instance: { paircode: string } }>('POST', '/instance/connect', token, body)
      // As a client does, a call that a loaded machine refused is made again.
      const { instance } = await connect().catch(() => wait(1_000).then(connect))
      await network.control('POST', `/phones/${phone}/code`, { code: instance.paircode })
      // While a loaded machine refuses this too, it asks again.
      const isConnected = async () =>
        (await call<{ status?: { connected: boolean } }>('GET', '/instance/status', token).catch(() => null))?.status
          ?.connected === true
      while (!(await isConnected())) await wait(50)
      return token
    },
  }
}

/** Of Node.js, as `npm start` has them. BENCH_CPU_PROFILES names a folder for a profile of each process, from its start to its end. */
function startOptions(): readonly string[] {
  const { BENCH_CPU_PROFILES: folder } = process.env
  return folder === undefined ? START_OPTIONS : [...START_OPTIONS, '--cpu-prof', `--cpu-prof-dir=${folder}`]
}

import http from 'node:http'
import { checkAddress, type ListenAddress } from '../../../api/listen-errors.js'
import { OperatorError } from '../../../schemas/operator-error.js'
import { chooseBinding, splitAddress } from '../../cluster/node-address.js'
import type { Config } from '../../config.js'
import { processCount } from '../../processes/process-count.js'
import { type Check, failed, ok, type Result } from '../finding.js'

// Ours: answers of our own stores and settings.

const ANSWER_MAX_MS = 2_000
const ANSWER_MAX_BYTES = 4_096

/** Checks that the ports are free, or that a gateway has them. */
export function portsCheck({ http: api, cluster, database }: Pick<Config, 'http' | 'cluster' | 'database'>): Check {
  return {
    name: 'Ports',
    async run() {
      const address = { host: api.host, port: api.port, hostSetting: 'HOST', portSetting: 'PORT' }
      const running = await runningVersion(address)
      const results = [await portResult(address, running)]
      // A node with a database of its own has no other nodes, and takes any free port.
      if (database.url === undefined) return results
      const host = chooseBinding(splitAddress(cluster.nodeAddress).host)
      const count = cluster.peerPort === 0 ? 1 : processCount(cluster.processes)
      for (let process = 0; process < count; process += 1) {
        const portSetting = process === 0 ? 'PEER_PORT' : `PEER_PORT + ${process}`
        const peers = { host, port: cluster.peerPort + process, hostSetting: 'NODE_ADDRESS', portSetting }
        results.push(await portResult(peers, running))
      }
      return results
    },
  }
}

async function portResult(address: ListenAddress, running: string | undefined): Promise<Result> {
  const { host, port, portSetting } = address
  try {
    await checkAddress(address)
    return ok(`${portSetting} ${port} of ${host} is free.`)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    if (running !== undefined) return ok(`${portSetting} ${port} of ${host} is taken; Posthorn ${running} runs here.`)
    return failed(`${portSetting} ${port} of ${host} cannot be used.`, error.message)
  }
}

/** Returns the version of the gateway that answers on this port; undefined if there is none. */
function runningVersion({ host, port }: ListenAddress): Promise<string | undefined> {
  const local = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return new Promise((resolve) => {
    const request = http.get({ host: local, port, path: '/health', timeout: ANSWER_MAX_MS, agent: false })
    const end = (version?: string): void => {
      request.destroy()
      resolve(version)
    }
    request.on('timeout', end)
    request.on('error', () => end())
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > ANSWER_MAX_BYTES) end()
      })
      response.on('end', () => end(/^\{"status":"ok","version":"([\w.+-]{1,40})"/.exec(text)?.[1]))
    })
  })
}

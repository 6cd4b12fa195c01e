/** Balances calls to a cluster in tests: the way to the nodes that are ready. */
import { startBalancer as startSmallBalancer } from '../../demo/balancer.js'
import type { Cleanup } from './cleanup.js'
import { startHaproxy } from './haproxy.js'

export interface Balancer {
  readonly url: string
  /** Connections and calls, so far, that a node has refused or cut; that another node was asked then is not an excuse. */
  troubles(): Promise<number>
}

/** For restarts and roll-outs: HAProxy where POSTHORN_TEST_BALANCER says so, else our own small one. */
export async function startChosenBalancer(t: Cleanup, urls: () => readonly string[]): Promise<Balancer> {
  const { POSTHORN_TEST_BALANCER: wanted = 'small' } = process.env
  if (wanted === 'haproxy') return await startHaproxy(t, urls)
  if (wanted !== 'small') throw new Error(`POSTHORN_TEST_BALANCER is small or haproxy, not ${wanted}.`)
  return await startBalancer(t, urls)
}

/** Our own small one. `urls`: of the nodes; those that are asked at this moment. */
export async function startBalancer(t: Cleanup, urls: () => readonly string[]): Promise<Balancer> {
  const balancer = await startSmallBalancer(urls)
  t.after(() => balancer.close())
  return { url: balancer.url, troubles: () => Promise.resolve(balancer.troubles()) }
}

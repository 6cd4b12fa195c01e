/** What stands before a cluster in tests: the way to the nodes that are ready. */
import { startBalancer as startSmallBalancer } from '../../demo/balancer.js'
import type { Cleanup } from './cleanup.js'

export interface Balancer {
  readonly url: string
}

/** `urls`: of the nodes; those that are asked at this moment. */
export async function startBalancer(t: Cleanup, urls: () => readonly string[]): Promise<Balancer> {
  const balancer = await startSmallBalancer(urls)
  t.after(() => balancer.close())
  return balancer
}

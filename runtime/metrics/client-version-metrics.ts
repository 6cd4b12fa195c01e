import { Counter, Gauge, type Registry } from 'prom-client'
import type { ClientVersionKeeper } from '../client-version/client-version-keeper.js'

/** Creates the metrics of the version that logins report. */
export function createClientVersionMetrics(registry: Registry, keeper: ClientVersionKeeper): void {
  const registers = [registry]
  new Gauge({
    name: 'posthorn_client_revision',
    help: 'Revision of the web client that logins of this node report: the last part of the version.',
    registers,
    collect() {
      this.set(keeper.revision)
    },
  })
  new Counter({
    name: 'posthorn_client_version_refusals_total',
    help: 'Logins of this node that WhatsApp refused because of their version.',
    registers,
    collect() {
      this.reset()
      this.inc(keeper.refusals)
    },
  })
}

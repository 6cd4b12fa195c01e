/** The proxies of instances. Types only. */
import type { InstanceId } from '../ids.js'
import type { ProxySettings } from '../proxy.js'

export interface StoredProxy extends ProxySettings {
  /** Time of the last successful test. */
  readonly tested: Date
}

export interface ProxyDirectory {
  find(instance: InstanceId): Promise<StoredProxy | null>
  /** Stores a proxy that was tested just now. @throws GatewayError INSTANCE_NOT_FOUND, INSTANCE_EXPORTED */
  set(instance: InstanceId, settings: ProxySettings): Promise<void>
  /** @throws GatewayError INSTANCE_EXPORTED */
  remove(instance: InstanceId): Promise<void>
  /** Connects to the network through a proxy. @throws GatewayError PROXY_FAILED, TOO_MANY_TESTS */
  test(instance: InstanceId, url: string): Promise<void>
}

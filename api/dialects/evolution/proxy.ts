/** The proxy of an instance. */
import { GatewayError } from '../../../schemas/errors.js'
import { setProxy, showProxy } from '../../routes/instance/proxy.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { DialectRefusal } from '../dialect.js'
import { asObject, asText, isOn, object, text } from './fields.js'

const shared = { area: 'Settings', opens: 'instance' } as const

export const proxyRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/proxy/set',
    name: 'setProxy',
    summary: 'Set the proxy of the instance, which is tested first',
    status: 201,
    operations: [setProxy],
    body: object({
      enabled: { description: 'Whether it is used.' },
      host: text('Host.', 500),
      port: text('Port.', 10),
      protocol: text('Protocol: http, https, socks4 or socks5.', 10),
      username: text('User.', 500),
      password: text('Password.', 500),
    }),
    handle: (call) => proxySet(call, call.body),
  },
  {
    ...shared,
    method: 'GET',
    path: '/proxy/find',
    name: 'findProxy',
    summary: 'Show the proxy of the instance',
    status: 200,
    operations: [showProxy],
    differs: 'The password is masked.',
    async handle(call) {
      const { proxy } = await call.ask<{ proxy?: unknown }>(showProxy)
      const url = asText(asObject(proxy).proxy_url)
      if (url === '' || call.instance === null) return null
      const { hostname: host, port, protocol, username } = new URL(url.replaceAll('*', 'x'))
      const shown = { enabled: true, host, port, protocol: protocol.slice(0, -1), username, password: '***' }
      return { id: call.instance.id, ...shown, instanceId: call.instance.id }
    },
  },
]

/** Sets the proxy that the fields name, or takes it away. @throws DialectRefusal if it does not work */
export async function proxySet(call: DialectCall, fields: Json): Promise<Json> {
  const isEnabled = isOn(fields.enabled)
  const shown = { ...fields, enabled: isEnabled, ...(asText(fields.password) === '' ? {} : { password: '***' }) }
  const body = isEnabled ? { mode: 'custom', proxy_url: urlOf(fields) } : { mode: 'none', confirm_no_proxy: true }
  await call.ask(setProxy, { body }).catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === 'PROXY_FAILED')
      throw new DialectRefusal('PROXY_FAILED', 400, 'Invalid proxy', error)
    throw error
  })
  return { proxy: { instanceName: call.name, proxy: shown } }
}

function urlOf({ host, port, protocol, username, password }: Json): string {
  const user = asText(username) === '' ? '' : `${encodeURIComponent(asText(username))}:`
  const secret = user === '' ? '' : `${user}${encodeURIComponent(asText(password))}@`
  const at = asText(port) === '' ? asText(host) : `${asText(host)}:${asText(port)}`
  return `${asText(protocol) || 'http'}://${secret}${at}`
}

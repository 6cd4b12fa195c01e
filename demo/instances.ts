/** Makes instances and pairs them with simulated phones, as a user does with real ones. */
import { type Calls, type Json, until } from './calls.js'
import type { DemoReceiver } from './receiver.js'
import type { Transcript } from './transcript.js'

export interface Instance {
  readonly id: string
  readonly name: string
  readonly token: string
  readonly phone: string
}

export interface Instances {
  create(name: string, phone: string): Promise<Instance>
  /** A webhook for what the instance connects, writes and hears. */
  listen(instance: Instance): Promise<void>
  pairByQr(instance: Instance): Promise<void>
  pairByCode(instance: Instance): Promise<void>
}

export interface InstancesParts {
  readonly calls: Calls
  readonly adminToken: string
  readonly receiver: DemoReceiver
  readonly tell: Transcript
}

export function createInstances({ calls, adminToken, receiver, tell }: InstancesParts): Instances {
  async function connected({ name, token }: Instance): Promise<void> {
    await until(
      'connection',
      () => calls.ask('GET', '/instance/status', { token }),
      (now) => (now.status as Json).connected === true,
    )
    await receiver.next(
      'the event of the connection',
      ({ EventType, instanceName, instance: told }) =>
        EventType === 'connection' && instanceName === name && told?.status === 'connected',
    )
    tell.note('Connected.')
  }

  return {
    async create(name, phone) {
      const made = await calls.call('POST', '/instance/init', { admintoken: adminToken }, { name })
      const id = String((made.instance as Json).id)
      const token = String((made.instance as Json).token ?? made.token)
      tell.data('token', `${token}  (shown once, stored as a hash)`)
      return { id, name, token, phone }
    },

    async listen({ name, token }) {
      const [webhook] = (await calls.call(
        'POST',
        '/webhook',
        { token },
        { url: receiver.url, events: ['connection', 'messages', 'messages_update'], enabled: true },
      )) as unknown as Json[]
      if (typeof webhook?.secret !== 'string') throw new Error('The webhook was made without a secret.')
      receiver.expectSecret(name, webhook.secret)
    },

    async pairByQr(instance) {
      const { token, phone } = instance
      let shown = await calls.call('POST', '/instance/connect', { token }, {})
      for (let scans = 1; ; scans += 1) {
        const qr = String((shown.instance as Json).qrcodeText)
        tell.data('QR', `${qr.slice(0, 72)}…  (as an image at ${calls.gateway}/instance/qr.png)`)
        const { status } = await calls.tellNetwork('POST', `/phones/${phone}/scan`, { qr })
        if (status === 'paired') break
        if (scans > 3) throw new Error('The phone asked for one QR after another.')
        tell.note(
          'The network retired the secret in that QR, as the real one does since July 2026; the gateway shows a new one.',
        )
        shown = await until(
          'new QR',
          () => calls.ask('GET', '/instance/status', { token }),
          (now) => (now.instance as Json).qrcodeText !== qr,
        )
      }
      await connected(instance)
    },

    async pairByCode(instance) {
      const { token, phone } = instance
      const shown = await calls.call('POST', '/instance/connect', { token }, { phone })
      const code = String((shown.instance as Json).paircode)
      tell.data('code', code)
      await calls.tellNetwork('POST', `/phones/${phone}/code`, { code })
      await connected(instance)
    },
  }
}

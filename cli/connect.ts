import { toString as drawQr } from 'qrcode'
import type { ConnectionEvent } from '../clients/typescript/src/index.js'
import { createClient, type Output, read, visible } from './options.js'

type Shown = Pick<ConnectionEvent['instance'], 'status' | 'qrcodeText' | 'paircode'>

/** Pairs an instance, and shows each new code until the phone has taken one. */
export async function connect(typed: readonly string[], { write, note }: Output): Promise<number> {
  const options = read(typed, [0, 0], { phone: { type: 'string' } })
  const { phone } = options.values
  const posthorn = createClient(options, 'instance')
  const controller = new AbortController()
  let drawn = ''
  let isConnected = false

  const show = async ({ status, qrcodeText = '', paircode = '' }: Shown): Promise<void> => {
    const code = paircode || qrcodeText
    if (code !== '' && code !== drawn) {
      drawn = code
      if (paircode !== '') write(`Type this code on the phone: ${visible(paircode)}\n`)
      else write(`${await drawQr(qrcodeText, { type: 'terminal', small: true })}\n`)
      note('On the phone: Settings, Linked devices, Link a device.\n')
    }
    isConnected = status === 'connected'
    if (isConnected || (status === 'disconnected' && drawn !== '')) controller.abort()
  }

  // The stream opens before the pairing begins, so that no code is missed.
  let begun: Promise<void> | undefined
  const begin = async (): Promise<void> => {
    const { instance } = await posthorn.connectInstance(typeof phone === 'string' ? { phone } : {})
    await show(instance as Shown)
  }
  let failure: unknown
  const onOpen = (): void => {
    begun ??= begin().catch((error: unknown) => {
      failure = error
      controller.abort()
    })
  }
  for await (const event of posthorn.events({ kinds: ['connection'], signal: controller.signal, onOpen }))
    if (event.EventType === 'connection') await show(event.instance)
  await begun
  if (failure !== undefined) throw failure
  note(isConnected ? 'Connected.\n' : 'The pairing ended without a phone. Type the command again.\n')
  return isConnected ? 0 : 1
}

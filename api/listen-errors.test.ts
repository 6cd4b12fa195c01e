import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { OperatorError } from '../schemas/operator-error.js'
import { checkAddress } from './listen-errors.js'

const settings = { hostSetting: 'HOST', portSetting: 'PORT' }

describe('an address to listen on', () => {
  it('is refused if it is in use, with one sentence that names the port and the setting', async (t) => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    t.after(() => other.close())
    const { port } = other.address() as AddressInfo
    await assert.rejects(
      checkAddress({ host: '127.0.0.1', port, ...settings }),
      (error) =>
        error instanceof OperatorError &&
        error.message === `Port ${port} of 127.0.0.1 is taken by another process. Stop it, or set PORT to a free port.`,
    )
  })

  it('is refused if it is unknown or of another machine, with the addresses that may be used', async () => {
    for (const host of ['no-such-host.invalid', '192.0.2.1'])
      await assert.rejects(
        checkAddress({ host, port: 0, ...settings }),
        (error) => error instanceof OperatorError && error.message.startsWith(`HOST=${host} is not an address of this`),
      )
  })

  it('stays free after the check if it was free', async () => {
    await checkAddress({ host: '127.0.0.1', port: 0, ...settings })
  })
})

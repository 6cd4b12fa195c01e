/** The sandbox as a process: prints one line of JSON with its addresses when it is ready. */
import { startSandbox } from './index.js'

const { SANDBOX_ROOT_KEY_FILE: rootKeyFile, SANDBOX_RECEIPTS: receipts = 'prompt' } = process.env
if (receipts !== 'prompt' && receipts !== 'late')
  throw new Error(`SANDBOX_RECEIPTS must be prompt or late, not ${receipts}.`)
const sandbox = await startSandbox({
  host: process.env.SANDBOX_HOST ?? '127.0.0.1',
  port: Number(process.env.SANDBOX_PORT ?? 0),
  controlPort: Number(process.env.SANDBOX_CONTROL_PORT ?? 0),
  mediaPort: Number(process.env.SANDBOX_MEDIA_PORT ?? 0),
  receipts,
  ...(rootKeyFile !== undefined && { rootKeyFile }),
})
const { websocketUrl, noiseRootKeyHex, controlUrl, mediaCaFile } = sandbox
process.stdout.write(
  `${JSON.stringify({ websocketUrl, noiseRootKeyHex, controlUrl, mediaCaFile, pid: process.pid })}\n`,
)

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    void sandbox.close().then(() => process.exit(0))
  })
}
